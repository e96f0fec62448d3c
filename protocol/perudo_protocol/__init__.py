"""What both sides of the wire must agree on. Imports nothing of ours."""
