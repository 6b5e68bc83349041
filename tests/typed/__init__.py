"""Typed programs of users: mypy checks them in the lint step, and a test runs them."""
