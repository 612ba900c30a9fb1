// The page: one cursor (a step), one chosen line, one view; all of it in the address, so that a link leads to
// a moment.

// `drawn`: what the two sides show, so that a step draws again only what it changes.
const app = {runs: [], beside: [], names: [], drawn: {source: "", view: ""}};

const start = {launch: 0, step: 0, view: "when", line: null, access: 0, root: null, finding: 0};
let state = {...start};

function run() { return app.runs[state.launch]; }

function clamped(value, length) { return Math.max(0, Math.min(Number(value) || 0, length - 1)); }

function isOffered(name) { return name in views && (views[name].isOffered?.() ?? true); }

function readAddress() {
  const given = new URLSearchParams(location.hash.slice(1) || document.body.dataset.start);
  state = {...start, launch: clamped(given.get("launch"), app.runs.length)};
  if (!given.has("view") && app.beside.length > 0) given.set("view", "beside");
  if (!given.has("step"))
    for (const [key, value] of new URLSearchParams(run().opens)) if (!given.has(key)) given.set(key, value);
  state.step = clamped(given.get("step"), run().steps.length);
  if (isOffered(given.get("view"))) state.view = given.get("view");
  const [source, line] = (given.get("line") ?? "").split(":").map(Number);
  if (line > 0) state.line = {source, line};
  state.access = clamped(given.get("access"), 99);
  state.root = given.get("root");
  state.finding = clamped(given.get("finding"), 999);
}

function addressOf() {
  const words = {step: state.step, view: state.view};
  if (state.launch) words.launch = state.launch;
  if (state.line) words.line = `${state.line.source}:${state.line.line}`;
  if (state.access) words.access = state.access;
  if (state.root) words.root = state.root;
  if (state.finding) words.finding = state.finding;
  return "#" + new URLSearchParams(words);
}

// Changes the state and draws again.
function go(change) {
  if ("step" in change && change.step !== state.step) change = {access: 0, ...change};
  if ("launch" in change) change = {...start, view: state.view, ...change};
  state = {...state, ...change};
  state.step = clamped(state.step, run().steps.length);
  history.replaceState(null, "", addressOf());
  draw();
}

function drawHeader() {
  const of = run();
  const others = app.runs.length > 1
    ? h("div", {class: "choices"}, h("select", {"aria-label": "launch", onchange: (event) => go({launch: Number(event.target.value)})},
        ...app.runs.map((each, i) => h("option", {value: i, selected: i === state.launch}, `launch ${i + 1}: ${each.title}`)))) : null;
  replace(document.getElementById("header"),
    h("h1", {}, of.title),
    h("p", {class: "faint"}, `${app.names[0]} · ${of.summary}`),
    ...(of.rejected ?? []).map(({message}) => h("p", {class: "wrong"}, `✗ ${message}`)),
    others, ...of.left_out.map((sentence) => h("p", {}, sentence)));
}

function drawTabs() {
  const names = Object.keys(views).filter(isOffered);
  replace(document.getElementById("views"),
    ...names.map((name) => h("button", {role: "tab", "aria-selected": name === state.view ? "true" : "false", "data-view": name,
      onclick: () => go({view: name})}, views[name].title)),
    h("button", {onclick: () => moveBy(-1), "aria-label": "step back"}, "←"),
    h("button", {onclick: () => moveBy(1), "aria-label": "step on"}, "→"),
    h("button", {onclick: help}, "? keys"));
}

function drawCursor() {
  const of = run(), step = of.steps[state.step];
  if (!step) return replace(document.getElementById("cursor"), h("p", {}, "No step was recorded."));
  const threads = step.threads ? ` (${step.threads})` : "";
  replace(document.getElementById("cursor"),
    h("div", {}, h("b", {}, `Step ${state.step + 1} of ${of.steps.length}`), ` · block ${step.block}, ${of.warps[step.warp]} · ` +
      `${lanesOf(step.lanes).length} of 32 lanes: ${of.lanesText(step)}${threads}`),
    h("div", {class: "what code"}, step.line ? `${step.line}: ${of.text(step)}` : "code without a line"),
    step.notes.length ? h("div", {class: "faint"}, step.notes.join(" · ")) : null);
}

function draw() {
  drawHeader();
  drawTabs();
  drawCursor();
  const {isWide = false, hidesSource = false, move, draw: drawView} = views[state.view];
  document.querySelector("main").classList.toggle("whole", isWide);
  const view = document.getElementById("view");
  const source = document.getElementById("source");
  source.hidden = hidesSource;
  const width = Math.max(300, Math.floor(view.getBoundingClientRect().width));
  const line = state.line ? `${state.line.source}:${state.line.line}` : "";
  const sourceKey = `${state.launch} ${line}`;
  if (!source.hidden && app.drawn.source !== sourceKey) replace(source, ...drawSource(run(), state));
  if (!source.hidden) {
    app.drawn.source = sourceKey;
    markLine(run(), state);
  }
  const viewKey = move ? `${state.view} ${sourceKey} ${run().steps[state.step]?.block} ${width}` : "";
  if (move && app.drawn.view === viewKey) move(view, state.step);
  else replace(view, ...drawView(run(), state, width));
  app.drawn.view = viewKey;
}

function moveBy(distance) { go({step: state.step + distance}); }

// To the first step after the next block barrier of this block, or to the first of this or the one before.
function moveByBarrier(direction) {
  const {steps} = run();
  const here = steps[state.step];
  if (!here) return;
  const firstOf = (interval) => steps.findIndex((step) => step.block === here.block && step.interval === interval);
  let to = direction > 0 ? firstOf(here.interval + 1) : firstOf(here.interval);
  if (direction < 0 && to === state.step && here.interval > 0) to = firstOf(here.interval - 1);
  if (to >= 0) go({step: to});
}

// To the same line's next step, in any warp.
function moveByLine(direction) {
  const {steps} = run();
  const line = state.line ?? {source: steps[state.step].source, line: steps[state.step].line};
  for (let i = state.step + direction; i >= 0 && i < steps.length; i += direction)
    if (run().isAt(steps[i], line)) return go({step: i});
}

const keys = [
  ["→ ←", "one step forward, one step back"],
  ["Shift → ←", "to the next block barrier, or back to the one before"],
  ["n p", "to the next or the previous step of the line"],
  [`1 … ${Object.keys(views).length}`, "the views, in their order"],
  ["/", "choose a line by its number"],
  ["?", "these keys"],
];

function help() {
  const dialog = document.getElementById("help");
  replace(dialog, h("h2", {}, "Keys"),
    h("table", {}, ...keys.map(([key, does]) => h("tr", {}, h("td", {}, h("kbd", {}, key)), h("td", {style: "text-align:left"}, does)))),
    h("p", {}, "The address of this page holds the step, the line and the view: send it to show somebody this moment."),
    h("form", {method: "dialog"}, h("button", {}, "close")));
  dialog.showModal();
}

function askForLine() {
  const dialog = document.getElementById("help");
  const field = h("input", {type: "number", min: 1, "aria-label": "line", name: "line"});
  const choose = (event) => {
    event.preventDefault();
    dialog.close();
    const line = Number(field.value);
    const here = run().steps[state.step];
    const source = here && run().code.some((each) => each.line === line && each.source === here.source) ? here.source
      : run().code.find((each) => each.line === line)?.source;
    if (source === undefined) return;
    const step = run().steps.findIndex((each) => run().isAt(each, {source, line}));
    go({line: {source, line}, ...(step >= 0 && {step})});
  };
  replace(dialog, h("form", {onsubmit: choose}, h("label", {}, "line ", field), " ", h("button", {}, "go")));
  dialog.showModal();
  field.focus();
}

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || document.getElementById("help").open ||
      ["INPUT", "SELECT"].includes(event.target.tagName)) return;
  const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
  const names = Object.keys(views);
  if (step && event.shiftKey) moveByBarrier(step);
  else if (step) moveBy(step);
  else if (event.key === "n") moveByLine(1);
  else if (event.key === "p") moveByLine(-1);
  else if (event.key === "/") askForLine();
  else if (event.key === "?") help();
  else if (isOffered(names[event.key - 1])) go({view: names[event.key - 1]});
  else return;
  event.preventDefault();
}

function begin() {
  const given = JSON.parse(document.getElementById("runs").textContent);
  app.names = given.map((each) => each.name);
  [app.runs, app.beside = []] = given.map(({traces, facts}) => traces.launches.map((launch, i) => new Run(launch, facts[i])));
  if (app.runs.length === 0) {
    replace(document.getElementById("header"), h("h1", {}, "No launch was recorded."));
    return;
  }
  readAddress();
  draw();
  addEventListener("keydown", onKey);
  addEventListener("hashchange", () => { readAddress(); draw(); });
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; draw(); } });
}

begin();
