"""Look at what an agent keeps outside the world, and tell what a reset did not restore."""
