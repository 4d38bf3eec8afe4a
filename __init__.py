"""Wind Tunnel: reliability testing of tool-using LLM agents, declared in YAML."""

__version__ = "0.1.0"
