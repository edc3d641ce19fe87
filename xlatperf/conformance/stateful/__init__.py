"""What all stateful translators have in common: clients, what they are bound to, and rules about both."""
