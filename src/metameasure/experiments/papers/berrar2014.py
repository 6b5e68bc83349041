"""Items of Berrar (2014), ranking measures under noise."""
