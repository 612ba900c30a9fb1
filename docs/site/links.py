#!/usr/bin/env python3
"""Follows every link of a site of plain files: each file and each place in a page must be there.

usage: links.py FOLDER

Says which are dead, and exits with 1. What leads out of the site is left alone.
"""
import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.places = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" or (name == "name" and tag == "a"):
                self.places.add(value)


def dead_links(folder):
    """(how many links were followed, a line for each that leads nowhere)"""
    pages = {path: Page(path.read_text()) for path in sorted(folder.rglob("*.html"))}
    followed, dead = 0, []
    for path, page in pages.items():
        if path.name == "404.html":
            continue  # its links count from the server's root
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            followed += 1
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            place = urllib.parse.unquote(parts.fragment)
            if not target.is_file():
                dead.append(f"{path.relative_to(folder)}: {link}: there is no such file")
            elif place and target in pages and place not in pages[target].places and not place.startswith("__"):
                dead.append(f"{path.relative_to(folder)}: {link}: the page has no such place")
    return followed, dead


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    followed, dead = dead_links(folder)
    for line in dead:
        print(line, file=sys.stderr)
    if dead or not followed:
        sys.exit(f"site: {len(dead)} of {followed} links lead nowhere")
    print(f"{followed} links lead where they say")


main()
