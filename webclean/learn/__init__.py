"""Learning rules from labelled pages (extra `learn`): every learner writes YAML that people can read and change."""
