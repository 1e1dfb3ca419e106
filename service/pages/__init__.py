"""Pages: the web table, the page of the contract, and the root."""
