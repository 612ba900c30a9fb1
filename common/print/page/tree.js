// The tree: which value was made of which, followed by the recorder through registers, shared memory, shuffles
// and atomics. Threads across, depth down; the result at the bottom.

// The values of which `roots` are made, they included: numbers of values, from 1. Those of other blocks are not drawn.
function valuesUnder(run, roots, block) {
  const found = new Set(roots);
  for (const node of found) for (const each of run.values[node - 1].from) found.add(each);
  return [...found].filter((node) => run.values[node - 1].block === block).sort((a, b) => a - b);
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

// Where each value stands; several of one thread at one depth side by side: Map of node -> {x, y, value}.
function treeSpots(run, nodes, left, top, column, pitch, radius) {
  const together = new Map(), spots = new Map();
  for (const node of nodes) {
    const value = run.values[node - 1], key = `${value.thread}/${value.depth}`, count = together.get(key) ?? 0;
    together.set(key, count + 1);
    const shift = Math.min(count * Math.min(radius, column / 4), column * 0.45);
    spots.set(node, {value, x: left + (value.thread + 0.5) * column + shift, y: top + value.depth * pitch});
  }
  return spots;
}

// A value below its node, where there is room for it.
function valueText(text, column, pitch) {
  return text && pitch >= 30 && text.length * 6.4 <= column - 1 ? text : "";
}

function treePicture(run, result, block, width, state) {
  const left = 84, top = 38, {tree} = run.block(block), levels = result.levels.map((index) => tree.levels[index]);
  const pitch = Math.max(9, Math.min(64, 460 / levels.length));
  const named = Math.ceil(14 / pitch);  // every so many levels have room for their name
  const nodes = valuesUnder(run, [result.node, ...(result.nobody ?? [])], block);
  const faulty = new Set([...(result.twice ?? []), ...(result.nobody ?? [])]);
  const threads = Math.max(1, ...nodes.map((node) => run.values[node - 1].thread + 1));
  const column = (width - left - 12) / threads;
  const radius = Math.max(1.5, Math.min(6, column * 0.42, pitch * 0.4));
  const spots = treeSpots(run, nodes, left, top, column, pitch, radius);
  const edges = [], circles = [], labels = [];
  const deepest = Math.max(levels.length - 1, ...[...spots.values()].map(({value}) => value.depth));
  for (const [node, {value, x, y}] of spots) {
    const isMade = value.step <= state.step, isNow = value.step === state.step;
    for (const from of value.from.map((each) => spots.get(each)).filter((each) => each))
      edges.push(svg("path", {class: isMade ? "edge made" : "edge", d: `M${from.x} ${from.y}L${x} ${y}`}));
    circles.push(svg("circle", {class: `node${isMade ? " made" : ""}${isNow ? " now" : ""}`, cx: x, cy: y, r: isNow ? radius + 1.5 : radius,
                                onclick: () => go({step: value.step})},
                     svg("title", {}, `${value.name}, thread ${value.thread}, line ${run.steps[value.step].line}` +
                                      (run.texts[node - 1] ? `: ${run.texts[node - 1]}` : ""))));
    if (faulty.has(node))
      circles.push(svg("path", {class: "defect", d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12`}));
    const text = valueText(run.texts[node - 1], column, pitch);
    if (text && x < left + (value.thread + 0.5) * column + 1)
      labels.push(svg("text", {class: "value", x, y: y + radius + 11, "text-anchor": "middle"}, text));
  }
  levels.forEach(({name, line, reach}, depth) => {
    if (depth % named !== 0) return;
    const y = top + depth * pitch + 4;
    labels.push(svg("text", {x: 0, y}, name));
    if (depth > 0 && pitch >= 40)
      [line, reach].filter((words) => words).forEach((words, i) => labels.push(svg("text", {x: 0, y: y + 12 * (i + 1), class: "faint small"}, words)));
  });
  if (threads <= WARP)
    labels.push(svg("text", {x: left, y: 24, class: "faint"}, "thread 0"),
                svg("text", {x: width - 8, y: 24, class: "faint", "text-anchor": "end"}, `${threads - 1}`));
  const height = top + deepest * pitch + 32;
  return drawing(width, height, result.sentence, ...warpRules(threads, left, column, height - 8), ...edges, ...circles, ...labels);
}

function drawTree(run, state, width) {
  const head = h("h2", {}, "The tree");
  const step = run.steps[state.step];
  if (!step) return [head, h("p", {}, "No step was recorded.")];
  const {results, largest, nothing} = run.block(step.block).tree;
  if (nothing) return [head, h("p", {}, nothing)];
  const chosen = results.find((each) => each.place === state.root) ?? results[largest];
  const choice = h("select", {"aria-label": "result", onchange: (event) => go({root: event.target.value})},
                   ...results.map((each) => h("option", {value: each.place, selected: each === chosen}, each.place)));
  return [
    head,
    h("div", {class: "choices"}, results.length > 1 ? ["result", choice] : null, h("b", {}, `${chosen.place} = ${chosen.value}`),
      chosen.expected ? h("b", {class: "wrong"}, `✕ expected ${chosen.expected}`) : null),
    ...(chosen.faults ?? []).map((sentence) => h("p", {class: "wrong"}, `✕ ${sentence}`)),
    h("p", {}, chosen.sentence),
    treePicture(run, chosen, step.block, width, state),
    h("p", {class: "faint"}, "Threads run across, operations downwards. Filled: computed up to the step at the cursor. A value stands where " +
                             "it was computed, however it got there."),
    blockChoice(run, state),
  ];
}

views.tree = {title: "Tree", draw: drawTree, isWide: true};
