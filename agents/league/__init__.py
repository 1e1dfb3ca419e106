"""A league: bots, programs and agents play the same deals, and everybody can check the result.

Read in this order: `terms` (what is agreed, and the secret), `schedule` (who plays whom), `playing` (the games),
`figures` (what follows from them), `page` (how it is shown), `folder` (what is written when). `desk` is for agents that
come to be asked.
"""
