// Findings: of a race the two accesses and what orders them (nothing); of a barrier who waits and who never comes; of
// any other the lanes that were there.

// The recorded accesses of a thread at a line: [{index, step, access, want}].
function accessesOf(run, block, thread, line) {
  const found = [];
  for (const {step, index} of run.stepsAt(block, thread, line))
    for (const access of step.accesses ?? [])
      for (const want of run.wants(access)) if (want.lane === thread % WARP) found.push({index, step, access, want});
  return found;
}

// Two accesses to one word by the two threads of a race, between the same barriers where there are such.
function sidesOfRace(run, finding) {
  const [one, other] = finding.threads;
  const ours = accessesOf(run, finding.block, one, finding.line);
  const theirs = accessesOf(run, finding.block, other ?? one, finding.other_line || finding.line);
  let best = null;
  for (const a of ours) {
    for (const b of theirs) {
      if (a.want === b.want || a.access.array !== b.access.array) continue;
      const last = (side) => side.want.word + side.want.words - 1;
      if (a.want.word > last(b) || b.want.word > last(a)) continue;
      if (a.access.kind === "load" && b.access.kind === "load") continue;
      const apart = Math.abs(a.step.interval - b.step.interval);
      if (!best || apart < best.apart) best = {a, b, apart};
    }
  }
  return best;
}

function doingName(run, side) {
  const {access, want} = side;
  const place = `${run.arrays[access.array].name}[${want.offset / access.element_bytes}]`;
  const does = access.kind === "load" ? "reads" : access.kind === "store" ? "writes" : "changes";
  return `${does} ${place}`;
}

function sideName(run, thread, side) { return `thread ${thread} ${doingName(run, side)}`; }

/** "line 16, value 14": a bare number behind a line's would be read as its column. */
const valueAtLine = (run, side) =>
  `line ${run.line(side.step)}${side.want.values.length ? `, value ${side.want.values.join(" ")}` : ""}`;

function racePicture(run, finding, sides, width) {
  const [one, other] = finding.threads;
  const w = Math.min(width, 620), column = w / 2;
  const first = sides.a.index <= sides.b.index ? [sides.a, one] : [sides.b, other];
  const second = sides.a.index <= sides.b.index ? [sides.b, other] : [sides.a, one];
  const interval = Math.min(sides.a.step.interval, sides.b.step.interval);
  const box = (x, y, [side, thread]) => [
    svg("rect", {class: "word asked", x, y, width: column - 16, height: 54, rx: 3}),
    svg("text", {x: x + 8, y: y + 16}, `thread ${thread}`),
    svg("text", {x: x + 8, y: y + 31}, doingName(run, side)),
    svg("text", {x: x + 8, y: y + 46, class: "faint"}, valueAtLine(run, side))];
  const sideOf = ([, thread]) => (thread === one ? 0 : column);
  const start = interval === 0 ? "the start of the block" : `barrier ${interval}`;
  return drawing(w, 242, `${finding.message}; ${finding.note}`,
    svg("text", {x: 0, y: 13}, `thread ${one}`), svg("text", {x: column, y: 13}, `thread ${other}`),
    svg("line", {class: "barrier", x1: 0, x2: w, y1: 34, y2: 34}),
    svg("text", {x: 0, y: 30, class: "faint"}, `last order that both share: ${start}`),
    box(sideOf(first), 48, first),
    svg("line", {class: "defect", x1: 0, x2: w, y1: 132, y2: 132, "stroke-dasharray": "2 7"}),
    svg("text", {x: 0, y: 124}, "✕ nothing stands here that would put one before the other"),
    box(sideOf(second), 146, second),
    svg("text", {x: 0, y: 222, class: "faint"}, "In this run they came in this order; another may have the other."));
}

function lanesStrip(run, step, width) {
  const cell = Math.min(18, (width - 4) / WARP);
  const parts = [];
  for (let lane = 0; lane < WARP; ++lane) {
    parts.push(svg("rect", {class: (step.lanes >>> lane) & 1 ? "lane" : "idle", x: lane * cell, y: 16, width: cell - 1, height: cell - 1}));
    if (lane % 8 === 0) parts.push(svg("text", {x: lane * cell, y: 11, class: "faint"}, `${lane}`));
  }
  return drawing(WARP * cell + 4, cell + 20, `lanes ${listed(lanesOf(step.lanes))} are here`, ...parts);
}

function lanesPicture(run, index, width) {
  const step = run.steps[index];
  const lanes = lanesOf(step.lanes);
  const block = run.blocks.length > 1 ? ` of block ${step.block}` : "";
  return [h("p", {}, `Here ${lanes.length === 1 ? "is lane" : "are lanes"} ${listed(lanes)} of warp ${step.warp}${block}:`),
          lanesStrip(run, step, width)];
}

// Where a finding can be seen: the steps of its two sides, the step that bears it, or the first of its thread at its
// line. A race whose sides cannot be told apart is seen at its line, in whichever block.
function placeOf(run, finding) {
  const isRace = finding.kind === "race";
  const sides = isRace ? sidesOfRace(run, finding) : null;
  if (sides) return {sides, step: Math.max(sides.a.index, sides.b.index)};
  const isAt = (step) => run.line(step) === finding.line;
  const marked = run.steps.findIndex((step) => step.block === finding.block && step.defect === finding.kind && isAt(step));
  if (marked >= 0) return {step: marked};
  const thread = finding.threads[0];
  const steps = thread === undefined ? [] : run.stepsAt(finding.block, thread, finding.line);
  if (steps.length > 0) return {step: steps[0].index};
  return {step: isRace && (thread === undefined || run.isWhole()) ? run.steps.findIndex(isAt) : -1};
}

// Of a step at a block barrier, in threads of the block: who waits there, at its line; who waits at another barrier; who
// is absent when it opens. {number of the barrier in the block: 0 where it never opened, waiting, elsewhere, absent}
function waitingAt(run, index) {
  const at = run.steps[index];
  const opening = run.openingBehind(index);
  const threads = (step) => lanesOf(step.lanes).map((lane) => WARP * step.warp + lane);
  const waiting = run.stepsOf(at.block).filter((step) => step.arrival && step.interval === at.interval && run.line(step) === run.line(at))
    .flatMap(threads).sort((a, b) => a - b);
  const isLetThrough = (thread) => (opening.lanes[Math.floor(thread / WARP)] >>> (thread % WARP)) & 1;
  const all = opening ? Array.from({length: run.threads}, (_, thread) => thread) : [];
  return {number: opening ? at.interval + 1 : 0, waiting,
          elsewhere: all.filter((thread) => isLetThrough(thread) && !waiting.includes(thread)),
          absent: all.filter((thread) => !isLetThrough(thread))};
}

// The lanes of a warp at a barrier: those that wait are filled, those that never come bear a cross.
function barrierStrip(run, warp, {waiting, absent}, width) {
  const cell = Math.min(18, (width - 4) / WARP);
  const parts = [];
  for (let lane = 0; lane < WARP; ++lane) {
    const x = lane * cell, thread = WARP * warp + lane;
    parts.push(svg("rect", {class: waiting.includes(thread) ? "lane" : "idle", x, y: 16, width: cell - 1, height: cell - 1}));
    if (absent.includes(thread))
      parts.push(svg("path", {class: "defect", d: `M${x + 3} 19L${x + cell - 4} ${cell + 12}M${x + cell - 4} 19L${x + 3} ${cell + 12}`}));
    if (lane % 8 === 0) parts.push(svg("text", {x, y: 11, class: "faint"}, `${lane}`));
  }
  const inWarp = (threads) => listed(threads.filter((thread) => Math.floor(thread / WARP) === warp));
  return drawing(WARP * cell + 4, cell + 20, `${run.warpName(warp)}: waiting ${inWarp(waiting)}, never there ${inWarp(absent)}`, ...parts);
}

function barrierPicture(run, finding, index, width) {
  const place = waitingAt(run, index);
  const does = (threads, one, many) =>
    threads.length ? [`${threads.length === 1 ? "thread" : "threads"} ${listed(threads)} ${threads.length === 1 ? one : many}`] : [];
  const which = place.number ? `barrier ${place.number} of block ${finding.block}` : `this barrier of block ${finding.block}, which never opens`;
  const sentence = [...does(place.waiting, "waits", "wait"), ...does(place.elsewhere, "waits at another", "wait at another"),
                    ...does(place.absent, "never comes (✕)", "never come (✕)")].join("; ");
  const named = finding.threads.map((thread) => Math.floor(thread / WARP));
  const warps = [...new Set([run.steps[index].warp, ...named])].sort((a, b) => a - b);
  return [h("p", {}, `Step ${index + 1}, at ${which}: ${sentence}.`),
          ...warps.flatMap((warp) => [warps.length > 1 ? h("p", {class: "faint"}, run.warpName(warp)) : null, barrierStrip(run, warp, place, width)])];
}

function drawFindings(run, state, width) {
  const findings = run.report.findings;
  if (findings.length === 0)
    return [h("h2", {}, "Findings"), h("p", {}, "None: no race, nothing out of bounds, nothing read before it was written.")];
  const chosen = Math.min(state.finding, findings.length - 1);
  const finding = findings[chosen];
  const {sides, step} = placeOf(run, finding);
  const whole = [
    h("h2", {}, `Finding ${chosen + 1} of ${findings.length}`),
    findings.length > 1 ? h("div", {class: "choices"}, ...findings.map((each, i) =>
      h("button", {"aria-pressed": i === chosen ? "true" : "false", onclick: () => go({finding: i})}, `${each.kind}, line ${each.line}`))) : null,
    h("div", {class: "finding"}, h("p", {}, h("b", {class: "kind"}, finding.kind), `: ${finding.message}`),
      h("p", {class: "code"}, `${finding.file}:${finding.line}: ${finding.source.trim()}`),
      finding.other_line ? h("p", {class: "code"}, `${finding.other_file}:${finding.other_line}: ${(finding.other_source ?? "").trim()}`) : null,
      h("p", {class: "faint"}, finding.note), finding.help ? h("p", {}, `help: ${finding.help}`) : null),
  ];
  if (sides)
    return [...whole, racePicture(run, finding, sides, width),
            h("div", {class: "choices"},
              h("button", {onclick: () => go({step: sides.a.index})}, `go to ${sideName(run, finding.threads[0], sides.a)}`),
              h("button", {onclick: () => go({step: sides.b.index})}, `go to ${sideName(run, finding.threads[1], sides.b)}`))];
  if (step < 0)
    return [...whole, h("p", {}, run.isWhole() ? "No single step shows it."
                                               : "It lies beyond what was recorded: in a later block or a later step.")];
  return [...whole, ...(finding.kind === "barrier" && run.steps[step].arrival ? barrierPicture(run, finding, step, width) : lanesPicture(run, step, width)),
          h("div", {class: "choices"}, h("button", {onclick: () => go({step})}, "go to this step"))];
}
