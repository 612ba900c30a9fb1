// Who works when: threads across, steps down, barriers as rules. Nothing here is time: a warp's steps follow
// each other, and warps are side by side only from barrier to barrier.

// Sizes for the room there is: rows high enough for their line's number where there are few.
function whenGeometry(run, width, rows) {
  const row = rows <= 90 ? 12 : rows <= 200 ? 8 : 5;
  const cellWith = (left, right) => (width / run.warps - left - right) / WARP;
  const hasWords = row === 12 && cellWith(54, 66) >= 4;  // which time, and how far apart: not at the lanes' cost
  const isTight = width / run.warps < 60;  // warps of one block: up to 32 of them, and all have their column
  const numbers = hasWords ? 54 : row === 12 && run.warps <= 4 ? 24 : isTight ? 1 : 5;
  const marks = hasWords ? 66 : isTight ? 5 : 17;
  const cell = Math.max(0.1, Math.min(9, cellWith(numbers, marks)));
  const xOf = (warp) => numbers + warp * (cell * WARP + numbers + marks);
  return {cell, row, numbers, hasWords, isTight, xOf, width: Math.ceil(xOf(run.warps) - numbers)};
}

// One row of a step: what works is filled; lanes that the warp has but that do not work here stay pale.
function stepRow(run, index, geometry, y) {
  const step = run.steps[index];
  const {cell, row, xOf} = geometry;
  const x = xOf(step.warp), height = row - 1;
  const existing = Math.min(WARP, run.threads - step.warp * WARP);
  const parts = [svg("rect", {class: "idle", x, y, width: cell * existing, height})];
  const lanes = lanesOf(step.lanes);
  for (let i = 0; i < lanes.length;) {  // neighbours together: a tenth of the elements
    let end = i;
    while (end + 1 < lanes.length && lanes[end + 1] === lanes[end] + 1) ++end;
    parts.push(svg("rect", {class: "lane", x: x + lanes[i] * cell, y, height,
                            width: cell * (end - i + 1) - (cell > 3 ? 0.6 : 0)}));
    i = end + 1;
  }
  if (geometry.numbers > 20) {
    const turn = geometry.hasWords ? turnText(run.turns[index]) : "";
    const name = [run.line(step) || "", turn].filter((word) => word).join(", ");
    parts.push(svg("text", {class: "faint small", x: x - 4, y: y + 9, "text-anchor": "end"}, name));
  }
  const after = x + cell * WARP + (geometry.isTight ? 0 : 2), size = Math.min(height, geometry.isTight ? 4 : 7);
  if ((step.accesses ?? []).some((access) => access.bank_conflicts))
    parts.push(svg("path", {class: "mark-conflict", d: `M${after} ${y}h${geometry.isTight ? 4 : 6}l${geometry.isTight ? -2 : -3} ${size}z`}));
  if (step.defect)
    parts.push(svg("path", {class: "defect", d: `M${after + (geometry.isTight ? 0 : 7)} ${y}l${size} ${size}m0 -${size}l-${size} ${size}`}));
  const reach = geometry.hasWords ? reachOf(run, step) : "";
  if (reach) parts.push(svg("text", {class: "faint small", x: after + 18, y: y + 9}, reach));
  return parts;
}

function warpHeads(run, geometry) {
  const {cell, xOf} = geometry;
  const heads = [];
  const named = Math.ceil(16 / (xOf(1) - xOf(0)));  // every so many warps have room for their number
  for (let warp = 0; warp < run.warps; warp += named) {
    heads.push(svg("text", {x: xOf(warp), y: 12}, cell >= 3 ? `warp ${warp}` : `${warp}`));
    const ticks = cell >= 6 ? [0, 8, 16, 24] : cell >= 3 ? [0] : [];
    for (const lane of ticks) heads.push(svg("text", {x: xOf(warp) + lane * cell, y: 27, class: "faint small"}, `${warp * WARP + lane}`));
  }
  return heads;
}

// ", then 4 apart": where rows have no room for it.
function reachBehind(run, block, interval) {
  const reach = commonOf(run.stepsOf(block).filter((step) => step.interval === interval)
    .map((step) => reachOf(run, step)).filter((each) => each));
  return reach ? `, then ${reach}` : "";
}

// The picture of one block; with a `state`, rows of the chosen line and of the step are marked.
function whenPicture(run, block, width, state) {
  const {rowOf, starts, rows} = run.layout(block);
  const geometry = whenGeometry(run, width, rows);
  const {cell, row, xOf} = geometry;
  const top = 34, bar = 19;  // room for a barrier's rule and its number
  const intervals = [...starts.keys()];
  const yOf = (index) => top + rowOf.get(index) * row + intervals.indexOf(run.steps[index].interval) * bar;
  const height = top + rows * row + intervals.length * bar + 6;
  const parts = warpHeads(run, geometry);
  intervals.slice(1).forEach((interval, i) => {
    const y = top + starts.get(interval) * row + (i + 1) * bar - 4;
    parts.push(svg("line", {class: "barrier", x1: 0, x2: geometry.width, y1: y, y2: y}),
               svg("text", {x: 0, y: y - 3}, `barrier ${interval}${geometry.hasWords ? "" : reachBehind(run, block, interval)}`));
  });
  run.steps.forEach((step, index) => {
    if (step.block !== block) return;
    parts.push(svg("g", {"data-step": index, ...(state && {onclick: () => go({step: index})})},
                   svg("title", {}, `line ${run.line(step)}, lanes ${listed(lanesOf(step.lanes))}`),
                   ...stepRow(run, index, geometry, yOf(index))));
    if (state?.line && run.isAt(step, state.line))
      parts.push(svg("rect", {class: "line-row", x: xOf(step.warp) - 3, y: yOf(index), width: 2.5, height: row - 1}));
  });
  if (state) parts.push(svg("rect", {class: "cursor-row", width: cell * WARP + 3, height: row + 3}));
  const label = `Block ${block}: ${plural(run.stepsOf(block).length, "step")} of ${plural(run.warps, "warp")}, ` +
                `${plural(intervals.length - 1, "barrier")}. A filled cell is a lane that works.`;
  const picture = drawing(geometry.width, height, label, ...parts);
  picture.moveCursor = (index) => {
    const cursor = picture.querySelector(".cursor-row");
    cursor.setAttribute("x", xOf(run.steps[index].warp) - 1.5);
    cursor.setAttribute("y", yOf(index) - 2);
  };
  if (state) picture.moveCursor(state.step);
  return picture;
}

function blockChoice(run, state) {
  const block = run.steps[state.step]?.block ?? 0;
  if (run.blocks.length < 2) return null;
  return h("div", {class: "choices"}, "block", ...run.blocks.map((each) =>
    h("button", {"aria-pressed": each === block ? "true" : "false",
                 onclick: () => go({step: run.steps.findIndex((step) => step.block === each)})}, `${each}`)));
}

function drawWhen(run, state, width) {
  const step = run.steps[state.step];
  if (!step) return [h("p", {}, "No step was recorded.")];
  const {hasWords} = whenGeometry(run, width, run.layout(step.block).rows);
  const busy = run.stepsOf(step.block).reduce((sum, each) => sum + lanesOf(each.lanes).length, 0);
  return [
    h("h2", {}, "Who works when"),
    h("p", {class: "faint"}, "A filled cell is a lane that works in this step, a pale one a lane that does not. " +
      "Down are a warp's steps, each with its line" +
      (hasWords ? ", and which time its lanes come by it; behind stands how far apart they read, or from where" : "") +
      ". A rule is a block barrier. ▼ bank conflicts, ✕ a defect. Order, not time."),
    blockChoice(run, state),
    whenPicture(run, step.block, width, state),
    h("p", {class: "faint"}, `${plural(busy, "lane")} at work in ${plural(run.stepsOf(step.block).length, "step")} of this block.`),
  ];
}
