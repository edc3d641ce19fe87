"""What a key of the bench file is: frozen models with documented keys, and the types that keys have."""
