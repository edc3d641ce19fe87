"""Client of the engine process (docs/protocol.md): it sends requests and reads answers, and knows no procedures."""
