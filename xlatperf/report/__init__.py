"""Tables, plots, HTML and exports of the results; statistics by RFC 2330."""
