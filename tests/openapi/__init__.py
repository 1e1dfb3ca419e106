"""Tests of the contract as a document: that it is exact, that it is kept, and that its documentation page shows it."""
