"""All methods, and any peer that is installed, side by side on a folder of labelled pages."""
