#!/usr/bin/env python3
"""Makes a deck of slides of each chapter: slides/chNN.html in the site, for reveal.js.

usage: slides.py SITE WHEEL

A deck is the chapter's lessons told by headings, figures and predictions. A section is a slide: its heading, the question that it
asks, and its first figure, a picture or one drawn in characters. Further figures have slides of their own. A prediction is a slide,
and the answer is the slide below it. WHEEL is that of mkslides, which has reveal.js in it (slides.txt).
"""
import html
import pathlib
import re
import shutil
import sys
import zipfile

import markdown
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
REVEAL = "mkslides/assets/reveal.js/"
PICTURE = re.compile(r"!\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")  # a description may have brackets: values[8]
PROMPT = re.compile(r"\*\*(?:Predict|Guess)\b")
STYLE = """
:root { --paper: #fbfaf6; --ink: #1c1d21; --faint: #5d6068; color-scheme: light dark; }
@media (prefers-color-scheme: dark) { :root { --paper: #15171c; --ink: #e9e7e1; --faint: #a3a7b0; } }
body, .reveal-viewport { background: var(--paper); color: var(--ink); }
.reveal { font: 24px/1.4 system-ui, "DejaVu Sans", sans-serif; }
.reveal .slides { text-align: left; }
.reveal section { height: 100%; box-sizing: border-box; display: flex !important; flex-direction: column; }
.reveal .slides > section.stack { display: block !important; }
.reveal section[hidden], .reveal section.future:not(.stack), .reveal section.past:not(.stack) { visibility: hidden; }
h1 { font-size: 56px; margin: auto 0 0; font-weight: 600; }
h1 + p { margin: 12px 0 auto; }
h2 { font-size: 32px; margin: 0 0 8px; font-weight: 600; }
p, ul, ol { margin: 0 0 10px; } li { margin-bottom: 4px; }
.of { color: var(--faint); font-size: 18px; }
.figure { flex: 1; min-height: 0; display: flex; align-items: center; justify-content: center; }
.figure img { width: 100%; height: 100%; object-fit: contain; }
pre { margin: 0; font: 30px/1.25 "DejaVu Sans Mono", ui-monospace, monospace; white-space: pre; overflow: hidden; }
code { font-family: "DejaVu Sans Mono", ui-monospace, monospace; font-size: .9em; }
pre code { font-size: 1em; }
.prompt { flex: 1; display: flex; flex-direction: column; justify-content: center; font-size: 28px; }
.answer { flex: 1; min-height: 0; overflow: hidden; font-size: 20px; }
.answer pre { font-size: 16px; }
.answer img { max-width: 100%; max-height: 420px; display: block; margin: 0 auto; }
table { border-collapse: collapse; font-size: 18px; } th, td { text-align: left; padding: 3px 14px 3px 0; vertical-align: top; }
"""
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="reveal/reset.css"><link rel="stylesheet" href="reveal/reveal.css"><style>{style}</style></head>
<body><div class="reveal"><div class="slides">
{slides}
</div></div>
<script src="reveal/reveal.js"></script>
<script>
// What is wider or longer than its slide gets smaller letters, down to half.
const fit = () => document.querySelectorAll("pre, .answer, .prompt").forEach(box => {{
  if (box.closest(".answer") && !box.matches(".answer")) return;
  const room = box.closest("section"), normal = parseFloat(getComputedStyle(box).fontSize);
  for (let size = normal; size > normal / 2 && room.clientWidth &&
       (box.scrollWidth > room.clientWidth || room.scrollHeight > room.clientHeight || box.scrollHeight > box.clientHeight + 1);)
    box.style.fontSize = (size -= 0.5) + "px";
}});
Reveal.initialize({{ hash: true, controls: false, center: false, width: 1280, height: 720, margin: 0.05, transition: "none" }});
Reveal.on("ready", fit); Reveal.on("slidechanged", fit);
</script></body></html>
"""


def plain(text):
    """Markdown without links, comments and what only helps who reads: the page's places are not on slides."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\([^)]*\)", r"\1", text)
    return text.strip()


def rendered(text):
    return markdown.markdown(plain(text), extensions=["tables", "fenced_code"])


def blocks_of(page):
    """(kind, text): heading, code, fold or text, in the page's order; a fold is what stands between <details> tags."""
    pattern = re.compile(
        r"(?P<heading>^#{1,3} [^\n]*$)|(?P<code>^```.*?^```$)|<details>\s*<summary>(?P<fold>.*?</summary>.*?)^</details>", re.M | re.S)
    at = 0
    for found in pattern.finditer(page):
        for text in re.split(r"\n\s*\n", page[at:found.start()]):
            if text.strip():
                yield "text", text.strip()
        kind = found.lastgroup
        yield kind, found[kind]
        at = found.end()
    for text in re.split(r"\n\s*\n", page[at:]):
        if text.strip():
            yield "text", text.strip()


def question_of(text):
    """The first sentence of a paragraph that asks; else its first sentence."""
    sentences = re.split(r"(?<=[.?!:]) +(?=[A-Z\"'`*(])", re.sub(r"\s+", " ", plain(text)))
    return next((each for each in sentences if each.rstrip("*)").endswith("?")), sentences[0])


def is_figure(code):
    first, *lines = code.split("\n")
    return first == "```" and not lines[0].startswith("$")


class Deck:
    def __init__(self, site, chapter, folder):
        self.site, self.chapter, self.folder = site, chapter, folder
        self.slides, self.heading, self.open = [], "", None  # open: the section's slide, as long as it has no figure

    def picture(self, name, description):
        source = self.folder / name
        target = pathlib.Path("pictures") / self.chapter / source.name
        (self.site / "slides" / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, self.site / "slides" / target)
        return f'<img src="{target}" alt="{html.escape(description)}">'

    def add(self, content, below=""):
        slide = f"<section>\n<h2>{self.heading}</h2>\n{content}\n</section>"
        self.slides.append(f"<section>{slide}{below}</section>" if below else slide)

    def figure(self, content):
        content = f'<div class="figure">{content}</div>'
        if self.open is not None:
            self.add(self.open + content)
            self.open = None
        else:
            self.add(content)

    def close(self):
        if self.open:
            self.add(f'<div class="prompt">{self.open}</div>')
        self.open = None

    def images_in(self, text):
        return PICTURE.sub(lambda found: self.picture(found[2], found[1]), text)

    def page(self, text):
        prompt = None
        for kind, block in blocks_of(text):
            if kind == "fold":
                summary, answer = block.split("</summary>", 1)
                if prompt:
                    body = rendered(self.images_in(answer))
                    below = f'<section><h2>{html.escape(plain(summary))}</h2><div class="answer">{body}</div></section>'
                    self.close()
                    self.add(f'<div class="prompt">{prompt}</div>', below)
                prompt = None
            elif kind == "heading" and block.startswith("# "):
                self.slides.append(f"<section><h1>{html.escape(plain(block[2:]))}</h1><p class='of'>{self.chapter}</p></section>")
            elif kind == "heading":
                self.close()
                self.heading = rendered(re.sub(r"^#+ (\d+\. )?", "", block))[3:-4]  # in a paragraph of its own
                self.open, prompt = "", None
            elif kind == "code" and is_figure(block):
                self.figure(f"<pre>{html.escape(block[4:-4])}</pre>")
            elif kind == "text" and PICTURE.search(block):
                for description, name in PICTURE.findall(block):
                    self.figure(self.picture(name, description))
            elif kind == "text" and PROMPT.search(block):
                prompt = rendered(re.sub(r"`\./warpwise predict.*", "", block, flags=re.DOTALL))
            elif kind == "text" and prompt and not block.startswith(("|", "<", ">")):
                prompt += rendered(block)
            elif kind == "text" and self.open == "" and self.heading and not block.startswith(("|", "<", ">", "[", "-")):
                self.open = rendered(question_of(block))
        self.close()


def pages_of_chapters():
    """{"ch01": the files of its lessons, in the site's order}"""
    text = (ROOT / "docs/site/mkdocs.yml").read_text(encoding="utf-8")
    nav = yaml.safe_load(text[text.index("\nnav:"):])["nav"]
    chapters = {}
    for entry in next(each["Chapters"] for each in nav if "Chapters" in each):
        for file in entry.values():
            chapters.setdefault(file[:4], []).append(ROOT / file)
    return chapters


def main(site, wheel):
    out = site / "slides"
    (out / "reveal").mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel) as files:
        for name in ("LICENSE", "dist/reset.css", "dist/reveal.css", "dist/reveal.js"):
            (out / "reveal" / pathlib.Path(name).name).write_bytes(files.read(REVEAL + name))
    for chapter, pages in pages_of_chapters().items():
        deck = Deck(site, chapter, pages[0].parent)
        for page in pages:
            deck.page(page.read_text(encoding="utf-8"))
        title = html.escape(pages[0].read_text(encoding="utf-8").split("\n")[0][2:])
        for name in re.findall(r'src="([^"]*)"', "".join(deck.slides)):
            if not (out / name).is_file():
                sys.exit(f"slides/{chapter}.html: there is no {name}")
        (out / f"{chapter}.html").write_text(
            PAGE.format(title=title, style=STYLE, slides="\n".join(deck.slides)), encoding="utf-8")
        print(f"slides/{chapter}.html: {len(deck.slides)} slides")


main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2])
