"""Several campaigns side by side: one offline HTML page and a CSV."""
