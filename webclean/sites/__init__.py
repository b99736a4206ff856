"""Site templates: pages of one site -> clusters, what repeats in them, and the rules that follow from it."""
