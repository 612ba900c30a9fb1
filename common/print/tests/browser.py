"""Opens pages of ./warpwise show in a browser and uses them with the keyboard alone.

    browser.py WARPWISE FOLDER

WARPWISE is the command, FOLDER a place for pages. Takes this machine's Chromium, and Playwright (requirements.txt) from
.cache/browser, where `.ci/long browser` puts it. Exit status 0: all is well, 1: a line for each thing that is not, 77: there
is no browser to try the page in.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

try:
    from playwright.sync_api import sync_playwright
except ImportError:
    python = pathlib.Path(__file__).resolve().parents[3] / ".cache/browser/bin/python"
    if python.exists() and pathlib.Path(sys.executable) != python:
        os.execv(python, [python, *sys.argv])
    print("There is no Playwright here (.ci/long browser installs it): the page was not tried in a browser.")
    sys.exit(77)

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
    """Nothing is wider than the window; words of pictures are whole, apart from each other, and large enough to be read."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (390, 1280):
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")  # drawn anew
            wide = page.evaluate("document.documentElement.scrollWidth")
            expect(wide <= width, f"{name}: {wide} pixels wide in a window of {width}")
            for fault, words in page.evaluate(FAULTS_OF_WORDS).items():
                expect(not words, f"{name}: words of a picture are {fault} at {width} pixels: {words[:3]}")
            low = page.evaluate(CONTRAST)
            expect(not low, f"{name}: contrast below 4.5 ({scheme}, {width}): {low[:3]}")


# A letter's box is higher than its ink: boxes may overlap by 4 pixels of their height.
FAULTS_OF_WORDS = """() => {
  const faults = {cut: [], "one over the other": [], "too small": []};
  for (const picture of document.querySelectorAll("svg")) {
    const frame = picture.getBoundingClientRect(), scale = frame.width / picture.viewBox.baseVal.width;
    const texts = [...picture.querySelectorAll("text")].map((text) => ({text, words: text.textContent, box: text.getBoundingClientRect()}));
    texts.sort((a, b) => a.box.top - b.box.top);
    texts.forEach(({text, words, box}, i) => {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.bottom > frame.bottom + 1) faults.cut.push(words);
      if (parseFloat(getComputedStyle(text).fontSize) * scale < 9.5) faults["too small"].push(words);
      for (let j = i + 1; j < texts.length && texts[j].box.top < box.bottom - 4; ++j)
        if (box.left < texts[j].box.right - 1 && texts[j].box.left < box.right - 1)
          faults["one over the other"].push(`${words} / ${texts[j].words}`);
    });
  }
  return faults;
}"""


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


def tab_to(page, words):
    """Moves on by the tabulator until a button that says so has the focus, and presses it."""
    for _ in range(300):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent").startswith(words):
            return page.keyboard.press("Enter")
    expect(False, f"the tabulator comes to a button that says '{words}'")


def check_named_line(page, uri, words):
    """A page of `--at` opens at its line, without an address that says so."""
    page.goto("about:blank")
    page.goto(uri)
    expect(words in page.inner_text("#cursor .what"), "a page of --at opens at a step of the line")
    expect(words in page.inner_text(".line.chosen pre"), "a page of --at opens with its line chosen")
    expect("bank" in page.inner_text("#view .conflict-text"), "a page of --at shows what the line costs most")


def check_rounds(page, uri):
    """A loop can be read from its pictures: which time, how far apart, and whose threads."""
    page.goto("about:blank")
    page.goto(uri + "#step=0&view=when")
    rows = page.locator("#view svg text").all_text_contents()
    for stride, time in ((1, "1st"), (2, "2nd"), (4, "3rd")):
        expect(f"21, {time}" in rows and f"{stride} apart" in rows, f"who works when says {time} and {stride} apart")
    page.keyboard.press("3")
    labels = page.locator("#view svg text").all_text_contents()
    expect("warp 1" in labels and "line 21, 3rd" in labels, "the tree names warps and rounds")
    other = page.evaluate("run().steps.findIndex((step) => step.warp === 1)")
    page.goto(uri + f"#step={other}&view=when")
    expect("warp 1, threads 32 to 63" in page.inner_text("#cursor"), "the cursor says which threads a warp has")


def check_comparison(page, uri):
    """Two runs on the same axes, with the counters of both reports."""
    page.goto("about:blank")
    page.goto(uri + "#step=3&view=when")
    page.keyboard.press("5")
    expect("view=beside" in page.url and page.locator("#view .pair svg").count() == 2, "5 shows two runs side by side")
    table = page.inner_text("#view table")
    for counter in ("warp_instructions", "shared_load_bank_conflicts", "divergent_branches"):
        counted = page.evaluate(f"[app.runs[0], app.beside[0]].map((each) => each.report.counters.{counter})")
        row = "\t".join([counter.replace("_", " "), *map(str, counted)])
        expect(row in table, f"the comparison says {row}")
    titles = page.locator("#view .pair p.faint").all_text_contents()
    expect([title.split(":")[0] for title in titles] == ["reduce_contiguous", "reduce_naive"], "each run bears its name")


def check_against_pictures(page, warpwise, folder):
    """A page and the pictures of the same run say the same of it: the results of its tree, of a lane that stores two elements as
    well as of one, and what its dearest access costs."""
    for chapter, kernel in (("ch03", "reduce_sequential"), ("ch05", "reduce_atomic"), ("ch06", "reduce_affine")):
        uri = draw(warpwise, folder, f"same_{kernel}", chapter, kernel, "--solution")
        pictures = {}
        for view in ("tree", "banks"):
            file = pathlib.Path(folder).resolve() / f"same_{kernel}_{view}.svg"
            file.unlink(missing_ok=True)
            subprocess.run([warpwise, "show", chapter, kernel, "--solution", "--svg", view, "--output", str(file)],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            pictures[view] = file.read_text() if file.exists() else ""
        page.goto("about:blank")
        page.goto(uri + "#step=0&view=tree")
        drawn = re.search(r"↓ (.*?)</text>", pictures["tree"])[1]
        if many := re.fullmatch(r"(\S+?)(?: to (\S+))?: (\d+) values", drawn):
            places = page.locator("#view select[aria-label=result] option").all_text_contents()
            expect([places[0], places[-1], str(len(places))] == [many[1], many[2] or many[1], many[3]], f"{kernel}: the tree has the results {drawn}: {places}")
        else:
            expect(page.inner_text("#view .choices b") == drawn, f"{kernel}: the tree ends in {drawn}, as in its picture")
            sentence = re.search(r'<desc id="description">([^<]+)</desc>', pictures["tree"])[1].split(" Hollow")[0]
            expect(sentence in page.inner_text("#view"), f"{kernel}: the tree is described as in its picture: {sentence}")
        costs = re.findall(r'<text class="sentence[^"]*"[^>]*>\w+ \w+: (.*?)</text>', pictures["banks"])
        said = page.evaluate("run().steps.flatMap((step) => step.accesses.map((access) => access.sentence))")
        expect(all(any(each.startswith(cost) for each in said) for cost in costs), f"{kernel}: an access costs what its picture says: {costs}")


def measure(page):
    """Milliseconds of the slowest of 40 steps in each view, layout included."""
    return page.evaluate("""() => Object.fromEntries(["when", "data", "tree", "findings"].map((view) => {
      let most = 0;
      const timed = (change) => {
        const begin = performance.now();
        go(change);
        document.body.getBoundingClientRect();
        most = Math.max(most, performance.now() - begin);
      };
      timed({view, step: 0});
      for (let i = 0; i < 40; ++i) timed({step: state.step + 1});
      return [view, most];
    }))""")


def main(warpwise, folder):
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        print("There is no Chromium here: the page was not tried in a browser.")
        return 77
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        page.on("pageerror", lambda error: expect(False, f"the page's script failed: {error}"))
        page.on("request", lambda request: expect(request.url.startswith(("file:", "about:")), f"it asks for {request.url}"))

        uri = draw(warpwise, folder, "contiguous", "ch02", "reduce_contiguous", "--solution", "--beside", "ch01:reduce_naive")
        page.goto(uri)
        expect(page.locator("#view .pair svg").count() == 2, "a page of two runs opens side by side")
        walk(page, uri)
        check_rounds(page, uri)
        check_comparison(page, uri)
        for view in ("when", "data", "tree", "findings", "beside"):
            page.goto("about:blank")
            page.goto(uri + f"#step=24&view={view}")
            check_looks(page, f"reduce_contiguous, {view}")
        page.goto(uri + "#step=24&view=data&access=0")
        expect("bank" in page.inner_text("#view .conflict-text"), "a bank conflict is said in a sentence")
        expect(page.locator(".word.conflict").count() > 1, "words that meet in a bank are marked")

        page.goto(draw(warpwise, folder, "atomics", "ch07", "histogram_private", "--solution", "--at", "own[four.x]"))
        lanes, bank = map(int, re.search(r"(\d+) lanes meet in bank (\d+)", page.inner_text("#view .conflict-text")).groups())
        marked = page.locator(".word.conflict title").all_text_contents()
        expect(lanes > 1 and any(f"bank {bank}:" in title for title in marked), "atomics that meet in a word are marked")

        words = "partial[left + stride]"
        check_named_line(page, draw(warpwise, folder, "at", "ch02", "reduce_contiguous", "--solution", "--at", words), words)

        uri = draw(warpwise, folder, "race", "ch01", "--attempt", "reduce_naive_no_barrier_in_loop", "--n", "128")
        page.goto(uri)
        expect("view=findings" in page.url or "race" in page.inner_text("#view"), "a page with a race opens at it")
        expect("no barrier" in page.inner_text("#view"), "the finding says what is missing")
        expect(page.locator("#view svg .word.asked").count() == 2, "both accesses of the race are drawn")
        check_looks(page, "race")
        page.keyboard.press("1")
        tab_to(page, "show the two sides")
        expect("view=findings" in page.url, "the finding beside its line opens, by keys")
        before = page.inner_text("#cursor")
        tab_to(page, "go to thread 32")
        expect(page.inner_text("#cursor") != before, "a button leads to the step of an access")

        page.goto(draw(warpwise, folder, "wrong", "ch02", "--attempt", "reduce_contiguous_bound_too_small"))
        expect("✕ expected" in page.inner_text("#view"), "a wrong result opens at its tree, with what was expected")
        expect(page.locator("#view svg path.defect").count() > 0, "what goes into no result bears a cross")
        expect("✗ n = " in page.inner_text("#header"), "the page says why the launch was rejected")
        check_looks(page, "wrong")

        uri = draw(warpwise, folder, "barrier", "ch01", "--attempt", "reduce_naive_barrier_inside_if", "--n", "1", "--block", "32")
        page.goto(uri)
        seen = page.inner_text("#view")
        expect("0, 2, 4 … 30 wait" in seen and "1, 3, 5 … 31 never come" in seen, f"a barrier: who waits, who never comes: {seen}")
        expect("beyond what was recorded" not in seen, "a barrier in the trace lies not beyond it")
        expect("waits at the barrier" in page.inner_text("#cursor"), "the page opens at the barrier's step")
        expect(page.locator("#view svg path.defect").count() == 16, "who never comes bears a cross")
        check_looks(page, "barrier")

        check_against_pictures(page, warpwise, folder)

        uri = draw(warpwise, folder, "largest", "ch07", "match_any_skip_inactive", "--solution")
        page.goto(uri)
        slowest = {view: round(most, 1) for view, most in measure(page).items()}
        print(f"the slowest of 40 steps on the largest default page, in milliseconds: {slowest}")
        browser.close()
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
