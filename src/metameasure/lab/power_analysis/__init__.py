"""The power of measures as two-sample tests."""
