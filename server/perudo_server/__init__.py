"""The authority: an asyncio server that alone knows the rules and the dice."""
