// The tree: which value was made of which, followed by the recorder through registers, shared memory, shuffles
// and atomics. Threads across, depth down; the result at the bottom.

// The results of a block: what it stores to global memory and is made of other values, last store first.
function resultsOf(run, block) {
  const found = new Map();
  run.steps.forEach((step, index) => {
    if (step.block !== block) return;
    for (const access of step.accesses ?? []) {
      if (run.arrays[access.array].shared || access.kind === "load") continue;
      run.wants(access).forEach((want, i) => {
        const node = access.nodes[i * access.elements];
        const place = `${run.arrays[access.array].name}[${want.offset / access.element_bytes}]`;
        if (node) found.set(place, {place, node, value: want.values[0], step: index, kind: access.kind});
      });
    }
  });
  return [...found.values()];
}

// All values under a root: Map of node -> depth, by the longest way down to an element of memory.
function depthsUnder(run, root) {
  const depth = new Map();
  const stack = [root];
  while (stack.length > 0) {
    const node = stack[stack.length - 1];
    const from = run.values[node - 1].from ?? [];
    const open = from.filter((each) => !depth.has(each));
    if (open.length > 0) stack.push(...open);
    else {
      stack.pop();
      depth.set(node, from.length === 0 ? 0 : 1 + Math.max(...from.map((each) => depth.get(each))));
    }
  }
  return depth;
}

// What the root's own thread takes in, from the first operation to the last: the threads it came from.
function takenIn(run, root) {
  const from = [];
  for (let node = root; run.values[node - 1].from;) {
    const value = run.values[node - 1];
    const operands = value.from.map((each) => run.values[each - 1]);
    const isOwn = (each) => each.thread === value.thread && each.block === value.block;
    const sum = operands.findIndex((each) => isOwn(each) && each.from);  // rather than what an atomic finds
    const next = Math.max(0, sum >= 0 ? sum : operands.findIndex(isOwn));
    operands.forEach((each, i) => { if (i !== next) from.unshift(each); });
    node = value.from[next];
  }
  return from;
}

function treeSentences(run, root, depths) {
  const value = run.values[root - 1];
  const operations = [...depths.keys()].filter((node) => run.values[node - 1].from).length;
  const elements = depths.size - operations;
  const sentences = [`${plural(elements, "element")}, ${plural(operations, "operation")}, depth ${depths.get(root)}.`];
  const taken = takenIn(run, root).filter((each) => each.from || each.thread !== value.thread);
  if (taken.length > 0 && taken.length <= 12)
    sentences.push(`Thread ${value.thread} takes in values of ${taken.length === 1 ? "thread" : "threads"} ` +
                   `${taken.map((each) => each.thread).join(", then ")}.`);
  return sentences;
}

// "tid+4": the one other thread whose value it takes in, from its own thread's number.
function wayTo(run, value) {
  const others = (value.from ?? []).map((each) => run.values[each - 1])
    .filter((each) => each.block === value.block && each.thread !== value.thread);
  const distance = commonOf(others.map((each) => each.thread - value.thread));
  return distance === undefined ? "" : moved("tid", distance);
}

// Where the values of a level were made: ["line 21, 3rd", "tid+4"]; empty where they come from several places.
function originOf(run, values) {
  const line = commonOf(values.map(({step}) =>
    [run.line(run.steps[step]) ? `line ${run.line(run.steps[step])}` : "", turnText(run.turns[step])].filter((word) => word).join(", ")));
  const reach = commonOf(values.map((value) => wayTo(run, value) || reachOf(run, run.steps[value.step])));
  return [line, reach].filter((words) => words);
}

// A rule between two warps, and their numbers where there is room.
function warpRules(threads, left, column, bottom) {
  if (threads <= WARP) return [];
  const parts = [], named = Math.ceil(46 / (column * WARP));
  for (let warp = 0; warp * WARP < threads; ++warp) {
    const x = left + warp * WARP * column;
    if (warp > 0) parts.push(svg("line", {class: "warp-rule", x1: x, x2: x, y1: 28, y2: bottom}));
    if (warp % named === 0) parts.push(svg("text", {x: x + 3, y: 11}, `warp ${warp}`),
                                       svg("text", {x: x + 3, y: 24, class: "faint small"}, `${warp === 0 ? "thread " : ""}${warp * WARP}`));
  }
  return parts;
}

function treePicture(run, root, depths, width, state) {
  const left = 84, top = 38;
  const levels = depths.get(root) + 1;
  const pitch = Math.max(9, Math.min(64, 460 / levels));
  const named = Math.ceil(14 / pitch);  // every so many levels have room for their name
  const threads = Math.max(1, ...[...depths.keys()].map((node) => run.values[node - 1].thread + 1));
  const column = (width - left - 12) / threads;
  const radius = Math.max(1.5, Math.min(6, column * 0.42, pitch * 0.4));
  const sameSpot = new Map();  // several values of one thread at one depth, side by side
  const at = new Map();
  for (const [node, depth] of depths) {
    const key = `${run.values[node - 1].thread}/${depth}`;
    const count = sameSpot.get(key) ?? 0;
    sameSpot.set(key, count + 1);
    const shift = Math.min(count * Math.min(radius, column / 4), column * 0.45);
    at.set(node, {x: left + (run.values[node - 1].thread + 0.5) * column + shift, y: top + depth * pitch});
  }
  const edges = [], nodes = [], labels = [];
  for (const [node] of depths) {
    const value = run.values[node - 1];
    const {x, y} = at.get(node);
    const isMade = value.step <= state.step;
    for (const each of value.from ?? []) {
      const from = at.get(each);
      edges.push(svg("path", {class: isMade ? "edge made" : "edge", d: `M${from.x} ${from.y}L${x} ${y}`}));
    }
    const isNow = value.step === state.step;
    nodes.push(svg("circle", {class: `node${isMade ? " made" : ""}${isNow ? " now" : ""}`, cx: x, cy: y, r: isNow ? radius + 1.5 : radius,
                              onclick: () => go({step: value.step})},
                   svg("title", {}, `${value.name}, thread ${value.thread}, line ${run.line(run.steps[value.step])}`)));
  }
  for (let depth = 0; depth < levels; depth += named) {
    const here = [...depths].filter(([, each]) => each === depth).map(([node]) => run.values[node - 1]);
    const y = top + depth * pitch + 4;
    labels.push(svg("text", {x: 0, y}, depth === 0 ? "elements" : `${here.length} ${here[0].name.replace("atomic ", "a.")}`));
    if (depth > 0 && pitch >= 40)
      originOf(run, here).forEach((words, i) => labels.push(svg("text", {x: 0, y: y + 12 * (i + 1), class: "faint small"}, words)));
  }
  if (threads <= WARP)
    labels.push(svg("text", {x: left, y: 24, class: "faint"}, "thread 0"),
                svg("text", {x: width - 8, y: 24, class: "faint", "text-anchor": "end"}, `${threads - 1}`));
  const height = top + (levels - 1) * pitch + 32;
  return drawing(width, height, treeSentences(run, root, depths).join(" "), ...warpRules(threads, left, column, height - 8), ...edges, ...nodes, ...labels);
}

function drawTree(run, state, width) {
  const step = run.steps[state.step];
  const head = h("h2", {}, "The tree");
  const results = step ? resultsOf(run, step.block) : [];
  if (results.every((each) => !run.values[each.node - 1].from))
    return [head, h("p", {}, "This block stores nothing that was made of elements of memory, or its values went ways " +
                             "that are not followed (predicates, calls, compare-and-swap).")];
  const deepest = [...results].sort((a, b) => depthsUnder(run, b.node).size - depthsUnder(run, a.node).size)[0];
  const chosen = results.find((each) => each.place === state.root) ?? deepest;
  const depths = depthsUnder(run, chosen.node);
  const choice = h("select", {"aria-label": "result", onchange: (event) => go({root: event.target.value})},
                   ...results.map((each) => h("option", {value: each.place, selected: each === chosen}, each.place)));
  const value = chosen.kind === "store" ? ` = ${chosen.value}` : "";
  return [
    head,
    h("div", {class: "choices"}, results.length > 1 ? ["result", choice] : null, h("b", {}, `${chosen.place}${value}`)),
    h("p", {}, treeSentences(run, chosen.node, depths).join(" ")),
    treePicture(run, chosen.node, depths, width, state),
    h("p", {class: "faint"}, "Threads across, operations down. Filled: made up to the step at the cursor. A value stands where " +
                             "it was made, however it came there."),
    blockChoice(run, state),
  ];
}
