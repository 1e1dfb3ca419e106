"""Non-interference over HTTP: nobody is sent what depends on a card that he may not know."""
