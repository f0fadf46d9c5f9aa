"""Reads a page strictly: elements are balanced, ids are unique, links lead somewhere within the page, and nothing is loaded."""

import html.parser
import sys

EMPTY = {"meta", "link", "br"}
LOADING = {"src", "srcset", "data", "action", "background", "poster"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.links, self.problems = [], set(), set(), []

    def look(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                if value in self.ids:
                    self.problems.append(f"two elements are {value}")
                self.ids.add(value)
            elif name == "href" and tag != "link":
                self.links.add(value)
            elif name in LOADING or (name == "href" and value != "data:,"):
                self.problems.append(f"{tag} loads {value}")

    def handle_starttag(self, tag, attributes):
        self.look(tag, attributes)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.look(tag, attributes)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}> in line {self.getpos()[0]} closes something else")

    def handle_data(self, data):
        if self.open and self.open[-1] == "style" and ("url(" in data or "@import" in data):
            self.problems.append("the style sheet loads something")


page = Page()
page.feed(open(sys.argv[1], encoding="utf-8").read())
page.close()
page.problems += [f"{tag} is not closed" for tag in page.open]
page.problems += [f"{link} leads nowhere" for link in sorted(page.links) if link[:1] != "#" or link[1:] not in page.ids]
print("; ".join(page.problems) or "balanced, self-contained")
