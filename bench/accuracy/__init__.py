"""What is known against what the Tester measures: `make accuracy`, explained in docs/accuracy.md."""
