"""What has to be fast, what has to cover, and how far that is reached."""
