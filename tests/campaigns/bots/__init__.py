"""What the arena says of the published bots: how strong they are, whether their games end, how long a choice takes."""
