"""Figures for print, each as SVG and as PDF; the report's own plots are in plots/."""
