"""How strong the published bots are, whether their games end, and how long a choice takes."""
