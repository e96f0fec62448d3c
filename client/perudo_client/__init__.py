"""A screen: shows what the server tells, sends what the player chooses."""
