"""Ask the agent why, in its own session, once its run is scored."""
