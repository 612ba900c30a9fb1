"""Opens pages of ./warpwise show in a browser and uses them with the keyboard alone.

    browser.py CHROMIUM WARPWISE FOLDER

CHROMIUM is the browser's executable, WARPWISE the command, FOLDER a place for pages. Needs Playwright
(requirements.txt). Exit status 0: all is well, 1: a line for each thing that is not.
"""
import pathlib
import re
import subprocess
import sys

from playwright.sync_api import sync_playwright

failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)
        print("FAILED:", what)


def draw(warpwise, folder, name, *words):
    """The page's address."""
    page = pathlib.Path(folder).resolve() / (name + ".html")
    page.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([warpwise, "show", *words, "--output", str(page)], check=True, stdout=subprocess.DEVNULL)
    expect(page.stat().st_size < 1_500_000, f"{name}: the page has {page.stat().st_size} bytes, more than 1.5 MB")
    return page.as_uri()


def step_of(page):
    return int(re.search(r"step=(\d+)", page.url).group(1))


def check_looks(page, name):
    """Nothing is wider than the window, and no text of a picture leaves it."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            wide = page.evaluate("document.documentElement.scrollWidth")
            expect(wide <= width, f"{name}: {wide} pixels wide in a window of {width}")
            cut = page.evaluate("""() => [...document.querySelectorAll("svg")].flatMap((picture) => {
                const frame = picture.getBoundingClientRect();
                return [...picture.querySelectorAll("text")].filter((text) => {
                  const box = text.getBoundingClientRect();
                  return box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1;
                }).map((text) => text.textContent);
              })""")
            expect(not cut, f"{name}: words of a picture are cut at {width} pixels: {cut[:3]}")
            low = page.evaluate(CONTRAST)
            expect(not low, f"{name}: contrast below 4.5 ({scheme}, {width}): {low[:3]}")


# Each element with words of its own against the nearest background behind it (WCAG 2.1, 1.4.3).
CONTRAST = """() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = (c) => { const [r, g, b] = c.map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                         return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (element) => { for (let e = element; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor);
                                if (c.length < 4 || c[3] > 0) return c.slice(0, 3); } return [255, 255, 255]; };
  const low = [];
  for (const element of document.querySelectorAll("body *")) {
    const isWords = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!isWords || element.closest("script, style, noscript, dialog, title, option") || element.closest("g > title")) continue;
    const style = getComputedStyle(element);
    const ink = rgb(element.namespaceURI.endsWith("svg") ? style.fill : style.color).slice(0, 3);
    const [a, b] = [light(ink), light(behind(element))].sort((x, y) => y - x);
    if ((a + 0.05) / (b + 0.05) < 4.5) low.push(element.textContent.slice(0, 40));
  }
  return low;
}"""


def walk(page, uri):
    """Steps, barriers, a line, views and a link, by keys."""
    page.goto(uri + "#step=0&view=when")
    page.keyboard.press("ArrowRight")
    expect(step_of(page) == 1, "an arrow goes one step on")
    page.keyboard.press("ArrowLeft")
    expect(step_of(page) == 0, "an arrow goes one step back")
    before = page.inner_text("#cursor")
    page.keyboard.press("Shift+ArrowRight")
    expect(step_of(page) > 1 and page.inner_text("#cursor") != before, "shift and an arrow goes to the next barrier")
    page.keyboard.press("Shift+ArrowLeft")
    expect(step_of(page) == 0, "shift and an arrow goes back to the barrier before")
    page.keyboard.press("/")
    page.keyboard.type("21")
    page.keyboard.press("Enter")
    expect("line=0%3A21" in page.url, "a slash and a number choose a line")
    expect(page.locator(".ptx").count() == 1, "the chosen line shows its PTX")
    page.keyboard.press("n")
    expect(page.inner_text("#cursor .what").startswith("21:"), "n goes on to a step of the line")
    page.keyboard.press("2")
    expect("view=data" in page.url, "2 is the second view")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]").count() == 1, "a question mark shows the keys")
    page.keyboard.press("Escape")
    address, words = page.url, page.inner_text("main")
    page.goto("about:blank")
    page.goto(address)
    expect(page.url == address and page.inner_text("main") == words, "an address leads back to the same moment")


def measure(page):
    """Milliseconds of the slowest of 40 steps, of what the page itself does."""
    return page.evaluate("""() => { let most = 0;
      for (let i = 0; i < 40; ++i) { const begin = performance.now(); moveBy(1); most = Math.max(most, performance.now() - begin); }
      return most; }""")


def main(chromium, warpwise, folder):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("pageerror", lambda error: expect(False, f"the page's script failed: {error}"))
        page.on("request", lambda request: expect(request.url.startswith(("file:", "about:")), f"it asks for {request.url}"))

        uri = draw(warpwise, folder, "contiguous", "ch02", "reduce_contiguous", "--solution", "--beside", "ch01:reduce_naive")
        walk(page, uri)
        for view in ("when", "data", "tree", "findings", "beside"):
            page.goto("about:blank")
            page.goto(uri + f"#step=24&view={view}")
            check_looks(page, f"reduce_contiguous, {view}")
        page.goto(uri + "#step=24&view=data&access=0")
        expect("bank" in page.inner_text("#view .conflict-text"), "a bank conflict is said in a sentence")
        expect(page.locator(".word.conflict").count() > 1, "words that meet in a bank are marked")

        uri = draw(warpwise, folder, "race", "ch01", "--attempt", "reduce_naive_no_barrier_in_loop")
        page.goto(uri)
        expect("view=findings" in page.url or "race" in page.inner_text("#view"), "a page with a race opens at it")
        expect("no barrier" in page.inner_text("#view"), "the finding says what is missing")
        expect(page.locator("#view svg .word.asked").count() == 2, "both accesses of the race are drawn")
        check_looks(page, "race")
        page.locator("#view button", has_text="go to thread").first.press("Enter")
        expect("step=" in page.url, "a button leads to the step of an access")

        uri = draw(warpwise, folder, "largest", "ch02", "partition_by_sign", "--solution")
        page.goto(uri)
        slowest = measure(page)
        print(f"the slowest of 40 steps on the largest default page: {slowest:.1f} ms")
        browser.close()
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
