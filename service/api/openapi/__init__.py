"""The OpenAPI document, made from the app's routes and the contracts that their handlers state."""
