// Who works when: threads across, steps down, barriers as rules. Nothing here is time: a warp's steps follow
// each other, and warps are side by side only from barrier to barrier.

// Sizes for the room there is: rows high enough for their line's number where there are few.
function whenGeometry(run, width, rows) {
  const row = rows <= 90 ? 12 : rows <= 200 ? 8 : 5, warps = run.warps.length;
  const cellWith = (left, right) => (width / warps - left - right) / WARP;
  const hasWords = row === 12 && cellWith(54, 66) >= 4;  // which time, and how far apart: not at the lanes' cost
  const isTight = width / warps < 60;  // warps of one block: up to 32 of them, and all have their column
  const numbers = hasWords ? 54 : row === 12 && warps <= 4 ? 24 : isTight ? 1 : 5;
  const marks = hasWords ? 66 : isTight ? 5 : 17;
  const cell = Math.max(0.1, Math.min(9, cellWith(numbers, marks)));
  const xOf = (warp) => numbers + warp * (cell * WARP + numbers + marks);
  return {cell, row, numbers, hasWords, isTight, xOf, width: Math.ceil(xOf(warps) - numbers)};
}

// One row of a step: what works is filled; lanes that the warp has but that do not work here stay pale.
function stepRow(run, step, geometry, y) {
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
    const name = [step.line || "", geometry.hasWords ? step.turn : ""].filter((word) => word).join(", ");
    parts.push(svg("text", {class: "faint small", x: x - 4, y: y + 9, "text-anchor": "end"}, name));
  }
  const after = x + cell * WARP + (geometry.isTight ? 0 : 2), size = Math.min(height, geometry.isTight ? 4 : 7);
  if (step.meets)
    parts.push(svg("path", {class: "mark-conflict", d: `M${after} ${y}h${geometry.isTight ? 4 : 6}l${geometry.isTight ? -2 : -3} ${size}z`}));
  if (step.defect)
    parts.push(svg("path", {class: "defect", d: `M${after + (geometry.isTight ? 0 : 7)} ${y}l${size} ${size}m0 -${size}l-${size} ${size}`}));
  if (geometry.hasWords && step.reach) parts.push(svg("text", {class: "faint small", x: after + 18, y: y + 9}, step.reach));
  return parts;
}

function warpHeads(run, geometry) {
  const {cell, xOf} = geometry;
  const heads = [];
  const named = Math.ceil(16 / (xOf(1) - xOf(0)));  // every so many warps have room for their number
  for (let warp = 0; warp < run.warps.length; warp += named) {
    heads.push(svg("text", {x: xOf(warp), y: 12}, cell >= 3 ? `warp ${warp}` : `${warp}`));
    const ticks = cell >= 6 ? [0, 8, 16, 24] : cell >= 3 ? [0] : [];
    for (const lane of ticks) heads.push(svg("text", {x: xOf(warp) + lane * cell, y: 27, class: "faint small"}, `${warp * WARP + lane}`));
  }
  return heads;
}

// The picture of one block; with a `state`, rows of the chosen line and of the step, if it is the block's, are marked.
function whenPicture(run, number, width, state) {
  const {rows, intervals, label} = run.block(number);
  const geometry = whenGeometry(run, width, rows);
  const {cell, row, xOf} = geometry;
  const top = 34, bar = 19;  // room for a barrier's rule and its number
  const yOf = (step) => top + step.row * row + intervals.findIndex((each) => each.number === step.interval) * bar;
  const parts = warpHeads(run, geometry);
  intervals.slice(1).forEach((interval, i) => {
    const y = top + interval.row * row + (i + 1) * bar - 4;
    const reach = !geometry.hasWords && interval.reach ? `, then ${interval.reach}` : "";  // where rows have no room for it
    parts.push(svg("line", {class: "barrier", x1: 0, x2: geometry.width, y1: y, y2: y}),
               svg("text", {x: 0, y: y - 3}, `barrier ${interval.number}${reach}`));
  });
  run.steps.forEach((step, index) => {
    if (step.block !== number) return;
    parts.push(svg("g", {"data-step": index, ...(state && {onclick: () => go({step: index})})},
                   svg("title", {}, `line ${step.line}, lanes ${run.lanesText(step)}`), ...stepRow(run, step, geometry, yOf(step))));
    if (state?.line && run.isAt(step, state.line))
      parts.push(svg("rect", {class: "line-row", x: xOf(step.warp) - 3, y: yOf(step), width: 2.5, height: row - 1}));
  });
  const hasCursor = state && run.steps[state.step].block === number;
  if (hasCursor) parts.push(svg("rect", {class: "cursor-row", width: cell * WARP + 3, height: row + 3}));
  const picture = drawing(geometry.width, top + rows * row + intervals.length * bar + 6, label, ...parts);
  picture.moveCursor = (index) => {
    const cursor = picture.querySelector(".cursor-row");
    cursor.setAttribute("x", xOf(run.steps[index].warp) - 1.5);
    cursor.setAttribute("y", yOf(run.steps[index]) - 2);
  };
  if (hasCursor) picture.moveCursor(state.step);
  return picture;
}

function blockChoice(run, state) {
  const block = run.steps[state.step]?.block ?? 0;
  if (run.blocks.length < 2) return null;
  return h("div", {class: "choices"}, "block", ...run.blocks.map((each) =>
    h("button", {"aria-pressed": each.number === block ? "true" : "false",
                 onclick: () => go({step: run.steps.findIndex((step) => step.block === each.number)})}, `${each.number}`)));
}

function drawWhen(run, state, width) {
  const step = run.steps[state.step];
  if (!step) return [h("p", {}, "No step was recorded.")];
  const {rows, busy} = run.block(step.block);
  return [
    h("h2", {}, "Who works when"),
    h("p", {class: "faint"}, "A filled cell is a lane that works in this step, a pale one a lane that is idle. " +
      "A warp's steps run downwards, each with its line" +
      (whenGeometry(run, width, rows).hasWords ? ", and which time its lanes reach it; after the lanes stands how far apart they read, or from where" : "") +
      ". A rule is a block barrier. ▼ bank conflicts, ✕ a defect. Rows show order, not time."),
    blockChoice(run, state),
    whenPicture(run, step.block, width, state),
    h("p", {class: "faint"}, busy),
  ];
}

// The same picture for all steps of a block: only the cursor moves.
views.when = {title: "Who works when", draw: drawWhen, move: (view, step) => view.querySelector("svg")?.moveCursor(step)};
