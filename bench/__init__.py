"""What this program costs, as ratios against a bare floor, measured side by side in one run."""
