"""Sphinx's settings for the pages that assemble.py gathers."""

project = "Overlane"
copyright = "the authors of Overlane; GPL-3.0-or-later"  # noqa: A001 - Sphinx's name
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "Overlane"
html_logo = html_favicon = "overlane.svg"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = html_show_sphinx = False
highlight_language = "none"
myst_heading_anchors = 3
smartquotes = False  # commands are copied from these pages
# What a page links to and is not there is a warning, and warnings end the build.
nitpicky = True
