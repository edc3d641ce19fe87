"""What results.json holds: models, statistics, reading and writing."""
