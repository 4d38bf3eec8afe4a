"""What an agent is shown: hashed segment by segment, recorded in a golden file, compared with it."""
