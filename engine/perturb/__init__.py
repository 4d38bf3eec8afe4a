"""The weather of a scenario: tool faults around real calls, a history before the first turn, and their evidence."""
