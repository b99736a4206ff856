"""What follows links: fetching a page, joining the parts of a text, ranking links for a topic crawler."""
