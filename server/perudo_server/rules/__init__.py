"""The rules of Perudo, pure: no input, no output, no clock, no chance of their own."""
