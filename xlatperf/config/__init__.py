"""The bench file (TOML) as frozen models; every key is documented where it is defined, with its default's source."""
