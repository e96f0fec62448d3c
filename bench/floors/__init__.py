"""Bare programs that do the same work without a game: what ours is held against."""
