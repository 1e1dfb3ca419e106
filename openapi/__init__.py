"""The contract as a document: how it is written, and the document itself."""
