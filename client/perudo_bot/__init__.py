"""A player without a screen."""
