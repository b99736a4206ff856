"""The laboratory (extra `learn`): rules learnt from labelled pages and written as YAML that people can read and change,
and methods and peers compared. It imports the product, which never imports it: the command line starts it by name."""
