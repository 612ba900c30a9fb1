// The page: one cursor (a step), one chosen line, one view; all of it in the address, so that a link leads to
// a moment.

// `drawn`: what the two sides show, so that a step draws again only what it changes.
const app = {runs: [], beside: [], names: [], drawn: {source: "", view: ""}};

const views = {
  when: {title: "Who works when", draw: drawWhen},
  data: {title: "Data", draw: drawMemory},
  tree: {title: "Tree", draw: drawTree},
  findings: {title: "Findings", draw: drawFindings},
  beside: {title: "Side by side", draw: drawBeside},
};

const start = {launch: 0, step: 0, view: "when", line: null, access: 0, root: null, finding: 0};
let state = {...start};

function run() { return app.runs[state.launch]; }

function clamped(value, length) { return Math.max(0, Math.min(Number(value) || 0, length - 1)); }

// Where a page opens if its address does not say: at a finding, else where lanes first meet in a bank, else
// where they first part.
function firstSight(of) {
  if (of.report.findings.length > 0) return {view: "findings", step: Math.max(0, placeOf(of, of.report.findings[0]).step)};
  const conflict = of.steps.findIndex((step) => (step.accesses ?? []).some((access) => access.bank_conflicts));
  if (conflict >= 0) return {step: conflict};
  const divergent = of.steps.findIndex((step) =>
    (step.branches ?? []).some((branch) => branch.taken !== 0 && branch.taken !== branch.active));
  return {step: Math.max(0, divergent)};
}

function readAddress() {
  const words = location.hash.slice(1) || document.body.dataset.start;
  const given = new URLSearchParams(words);
  state = {...start};
  if (!given.has("step")) {
    state.launch = clamped(given.get("launch"), app.runs.length);
    state = {...state, ...firstSight(run())};
    if (given.get("view") in views) state.view = given.get("view");
    return;
  }
  state.launch = clamped(given.get("launch"), app.runs.length);
  state.step = clamped(given.get("step"), run().steps.length);
  if (given.get("view") in views) state.view = given.get("view");
  if (state.view === "beside" && app.beside.length === 0) state.view = "when";
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
        ...app.runs.map((each, i) => h("option", {value: i, selected: i === state.launch}, `launch ${i + 1}: ${each.report.kernel}`)))) : null;
  replace(document.getElementById("header"),
    h("h1", {}, of.title()),
    h("p", {class: "faint"}, [app.names[0], `schedule ${of.schedule}`,
      plural(of.report.counters.warp_instructions, "warp instruction"), plural(of.report.findings.length, "finding")].join(" · ")),
    others, ...of.leftOut().map((sentence) => h("p", {}, sentence)));
}

function drawTabs() {
  const names = Object.keys(views).filter((name) => name !== "beside" || app.beside.length > 0);
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
  const lanes = lanesOf(step.lanes);
  const line = of.line(step);
  const threads = step.warp === 0 || lanes.length === WARP ? ""
    : ` (${lanes.length === 1 ? "thread" : "threads"} ${listed(lanes.map((lane) => WARP * step.warp + lane))})`;
  const {time, times} = of.turns[state.step];
  const reach = reachWords(reachOf(of, step));
  const notes = [];
  if (times > 1 && time > 0) notes.push(`${ordinal(time)} time by this line, of ${times}`);
  if (reach) notes.push(reach);
  for (const branch of step.branches ?? [])
    if (branch.taken !== 0 && branch.taken !== branch.active)
      notes.push(`◇ divergent: ${plural(lanesOf(branch.taken).length, "lane")} jump, ${lanesOf(branch.active & ~branch.taken).length} do not`);
  if (step.arrival) notes.push("waits at the barrier");
  if (step.defect) notes.push(`✕ ${step.defect}`);
  replace(document.getElementById("cursor"),
    h("div", {}, h("b", {}, `Step ${state.step + 1} of ${of.steps.length}`), ` · block ${step.block}, ${of.warpName(step.warp)} · ` +
      `${lanes.length} of 32 lanes: ${listed(lanes)}${threads}`),
    h("div", {class: "what code"}, line ? `${line}: ${of.text(of.file(step), line)}` : "code without a line"),
    notes.length ? h("div", {class: "faint"}, notes.join(" · ")) : null);
}

function draw() {
  drawHeader();
  drawTabs();
  drawCursor();
  const isWhole = state.view === "beside" || state.view === "tree";
  const main = document.querySelector("main");
  main.classList.toggle("whole", isWhole);
  const view = document.getElementById("view");
  const source = document.getElementById("source");
  source.hidden = state.view === "beside";
  const width = Math.max(300, Math.floor(view.getBoundingClientRect().width));
  const line = state.line ? `${state.line.source}:${state.line.line}` : "";
  const sourceKey = `${state.launch} ${line}`;
  if (!source.hidden && app.drawn.source !== sourceKey) replace(source, ...drawSource(run(), state));
  if (!source.hidden) {
    app.drawn.source = sourceKey;
    markLine(run(), state);
  }
  // Who works when is the same picture for all steps of a block: only the cursor moves.
  const isMove = state.view === "when";
  const viewKey = isMove ? `${sourceKey} ${run().steps[state.step]?.block} ${width}` : "";
  if (isMove && app.drawn.view === viewKey) view.querySelector("svg")?.moveCursor(state.step);
  else replace(view, ...views[state.view].draw(run(), state, width));
  app.drawn.view = viewKey;
}

function moveBy(distance) { go({step: state.step + distance}); }

// To the first step behind the next block barrier of this block, or to the first of this or the one before.
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
  const line = state.line ?? {source: run().file(steps[state.step]), line: run().line(steps[state.step])};
  for (let i = state.step + direction; i >= 0 && i < steps.length; i += direction)
    if (run().isAt(steps[i], line)) return go({step: i});
}

const keys = [
  ["→ ←", "a step on, a step back"],
  ["Shift → ←", "to the next block barrier, or back to the one before"],
  ["n p", "to the next or the previous step of the line"],
  ["1 … 5", "the views, in their order"],
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
    const source = here && run().code.some((each) => each.line === line && each.source === run().file(here)) ? run().file(here)
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
  else if (names[event.key - 1] && (names[event.key - 1] !== "beside" || app.beside.length)) go({view: names[event.key - 1]});
  else return;
  event.preventDefault();
}

function begin() {
  const files = JSON.parse(document.getElementById("traces").textContent);
  app.names = files.map((file) => file.name);
  app.runs = files[0].traces.launches.map((launch) => new Run(launch));
  app.beside = (files[1]?.traces.launches ?? []).map((launch) => new Run(launch));
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
