"""Tell OpenTelemetry of each run: what was heard, as a tree of spans by the GenAI conventions, sent by the SDK."""
