// Data: the words of an array in rows of 32, so that in shared memory a column is a bank; the lanes of the
// step above them, and a line from each lane to its word. Of a shuffle, lanes above and lanes below.

const MOST_ROWS = 34;

// What fits into a word's cell; a dot where something stands there that does not; nothing where hardly anything would.
function wordText(text, cell) {
  if (text === undefined || text === "unwritten" || cell < 16) return "";
  return text.length * 6.2 <= cell - 2 ? text : "·";
}

// The rows of 32 words to draw: all of a small shared array; of any other those that the access touches.
function rowsToDraw(run, access) {
  const array = run.arrays[access.array];
  const touched = [...new Set(run.wants(access).flatMap((want) =>
    Array.from({length: want.words}, (_, i) => Math.floor((want.word + i) / WARP))))].sort((a, b) => a - b);
  const first = Math.floor(array.start / 4 / WARP), last = Math.floor((array.start + array.bytes - 1) / 4 / WARP);
  if (array.shared && last - first < MOST_ROWS)
    return {rows: Array.from({length: last - first + 1}, (_, i) => first + i), hidden: 0};
  return {rows: touched.slice(0, MOST_ROWS), hidden: Math.max(0, touched.length - MOST_ROWS)};
}

function memoryPicture(run, state, access, width) {
  const array = run.arrays[access.array];
  const left = 52;
  const cell = Math.min(30, (width - left - 4) / WARP);
  const size = Math.max(cell - 1, 1);
  const {rows, hidden} = rowsToDraw(run, access);
  const top = 30, gridTop = top + 70, pitch = Math.max(cell, 14) + 2;
  const xOf = (column) => left + column * cell;
  const yOf = (row) => gridTop + rows.indexOf(row) * pitch;
  const before = array.shared ? run.sharedBefore(state.step) : new Map();
  const wants = run.wants(access);
  const asked = new Map();
  for (const want of wants)
    for (let w = 0; w < want.words; ++w) asked.set(want.word + w, want.values[Math.floor((4 * w) / access.element_bytes)]);
  const perBank = new Map();
  const isAtomic = access.kind === "atomic" || access.kind === "reduction";  // whose lanes meet in a word, too
  if (array.shared && access.bank_conflicts)
    for (const word of isAtomic ? wants.map((want) => want.word) : asked.keys()) perBank.set(word % WARP, (perBank.get(word % WARP) ?? 0) + 1);

  const parts = [svg("text", {x: 0, y: top + cell - 3}, "lane")];
  for (let lane = 0; lane < WARP; ++lane) {
    const works = (access.lanes >>> lane) & 1;
    parts.push(svg("rect", {class: works ? "lane" : "idle", x: xOf(lane), y: top, width: size, height: size}));
    if (lane % (cell < 13 ? 8 : 4) === 0) parts.push(svg("text", {x: xOf(lane), y: top - 5, class: "faint"}, `${lane}`));
  }
  for (const row of rows) {
    const firstWord = row * WARP;
    const index = (4 * firstWord - array.start) / access.element_bytes;
    parts.push(svg("text", {x: 0, y: yOf(row) + Math.max(cell, 14) - 4}, `[${Math.max(0, Math.ceil(index))}]`));
    for (let column = 0; column < WARP; ++column) {
      const word = firstWord + column;
      if (4 * word < array.start || 4 * word >= array.start + array.bytes) continue;
      const text = asked.has(word) && access.kind !== "store" ? asked.get(word) : before.get(word);
      const isConflict = (perBank.get(column) ?? 0) > 1 && asked.has(word);
      const state_ = text === undefined || text === "unwritten" ? (array.shared ? " unwritten" : "") : "";
      parts.push(svg("rect", {class: `word${state_}${asked.has(word) ? " asked" : ""}${isConflict ? " conflict" : ""}`,
                              x: xOf(column), y: yOf(row), width: size, height: Math.max(cell, 14) - 1},
                     svg("title", {}, `word ${word}${array.shared ? `, bank ${column}` : ""}: ${text ?? "not seen"}`)));
      const shown = wordText(text, cell);
      if (shown) parts.push(svg("text", {x: xOf(column) + size / 2, y: yOf(row) + Math.max(cell, 14) / 2 + 3,
                                         "text-anchor": "middle", style: "font-size:10px"}, shown));
    }
    if (!array.shared)
      for (let sector = 0; sector < 4; ++sector)
        parts.push(svg("rect", {class: "sector", x: xOf(8 * sector) - 0.5, y: yOf(row) - 1.5, width: 8 * cell, height: Math.max(cell, 14) + 2}));
  }
  if (array.shared)
    for (let bank = 0; bank < WARP; bank += cell < 13 ? 8 : 4)
      parts.push(svg("text", {x: xOf(bank), y: gridTop + rows.length * pitch + 11, class: "faint"}, bank === 0 ? "bank 0" : `${bank}`));
  const isRead = access.kind === "load";
  for (const want of wants) {
    const row = Math.floor(want.word / WARP);
    if (!rows.includes(row)) continue;
    const x1 = xOf(want.lane) + size / 2, x2 = xOf(want.word % WARP) + size / 2, y2 = yOf(row);
    parts.push(svg("path", {class: isRead ? "read" : "write", d: `M${x1} ${top + size}L${x2} ${y2}`}));
    parts.push(isRead ? svg("circle", {class: "end", cx: x2, cy: y2, r: 2.2})
                      : svg("rect", {class: "end", x: x2 - 2, y: y2 - 2, width: 4, height: 4}));
  }
  const height = gridTop + rows.length * pitch + 16;
  return [drawing(width, height, run.sentence(access), ...parts),
          hidden ? h("p", {class: "faint"}, `${plural(hidden, "more row")} of 32 words are touched and not drawn.`) : null];
}

function accessName(run, access) {
  return `${access.kind === "reduction" ? "atomic" : access.kind} ${run.arrays[access.array].name}`;
}

// A shuffle: the lanes that give above, those that get below.
function shufflePicture(shuffle, width) {
  const left = 52, cell = Math.min(30, (width - left - 4) / WARP), size = Math.max(cell - 1, 1);
  const xOf = (lane) => left + lane * cell;
  const upper = 30, lower = 130;
  const parts = [svg("text", {x: 0, y: upper + cell - 3}, "from"), svg("text", {x: 0, y: lower + cell - 3}, "to")];
  const lanes = lanesOf(shuffle.lanes);
  const givers = new Set(shuffle.from);
  for (let lane = 0; lane < WARP; ++lane) {
    parts.push(svg("rect", {class: givers.has(lane) ? "lane" : "idle", x: xOf(lane), y: upper, width: size, height: size}),
               svg("rect", {class: lanes.includes(lane) ? "lane" : "idle", x: xOf(lane), y: lower, width: size, height: size}));
    if (lane % (cell < 13 ? 8 : 4) === 0) parts.push(svg("text", {x: xOf(lane), y: upper - 5, class: "faint"}, `${lane}`));
  }
  lanes.forEach((lane, i) => {
    const x1 = xOf(shuffle.from[i]) + size / 2, x2 = xOf(lane) + size / 2;
    parts.push(svg("path", {class: "read", d: `M${x1} ${upper + size}L${x2} ${lower}`}),
               svg("circle", {class: "end", cx: x2, cy: lower, r: 2.2}));
    const text = wordText(shuffle.values[i], cell);
    if (text) parts.push(svg("text", {x: x2, y: lower + size + 12, "text-anchor": "middle", style: "font-size:10px"}, text));
  });
  return drawing(width, lower + cell + 22, "Which lane gets whose value.", ...parts);
}

function shuffleSentence(shuffle) {
  const lanes = lanesOf(shuffle.lanes);
  const own = lanes.filter((lane, i) => shuffle.from[i] === lane).length;
  const distances = [...new Set(lanes.map((lane, i) => shuffle.from[i] - lane).filter((d) => d !== 0))];
  const reach = reachOfShuffle(shuffle);
  if (reach.startsWith("lane^")) return `Pairs exchange: each of ${plural(lanes.length, "lane")} gets the value of ${reach.replace("^", " ^ ")}.`;
  if (/^lane \d/.test(reach)) return `${plural(lanes.length, "lane")} ${lanes.length === 1 ? "gets" : "get"} the value of ${reach}.`;
  const how = distances.length === 1
    ? `from the lane ${Math.abs(distances[0])} ${distances[0] > 0 ? "above" : "below"} its own`
    : "from the lanes that the lines come from";
  return own === lanes.length ? `Each of ${plural(lanes.length, "lane")} keeps its own value.`
    : `${plural(lanes.length - own, "lane")} ${lanes.length - own === 1 ? "gets" : "get"} a value ${how}` +
      (own ? `; ${own} ${own === 1 ? "keeps its" : "keep their"} own.` : ".");
}

// The last step with data before the cursor, or the first after it: where to look if this one has none.
function hasData(step) { return Boolean(step.accesses || step.shuffles); }

function nearestData(run, index) {
  for (let i = index; i >= 0; --i) if (hasData(run.steps[i])) return i;
  return run.steps.findIndex(hasData);
}

function lanesTable(run, access) {
  const array = run.arrays[access.array];
  const rows = run.wants(access).map((want, i) =>
    h("tr", {}, h("td", {}, `lane ${want.lane}`),
      h("td", {}, `${array.name}[${want.offset / access.element_bytes}]`),
      array.shared ? h("td", {}, `bank ${want.word % WARP}`) : h("td", {}, `sector ${Math.floor(want.offset / 32)}`),
      h("td", {}, want.values.join(" ")), access.after ? h("td", {}, `then ${access.after[i * access.elements]}`) : null));
  return h("details", {}, h("summary", {}, "each lane, its place and its value"),
           h("div", {class: "lanes-table", tabindex: "0"}, h("table", {}, ...rows)));
}

function accessParts(run, state, access, width) {
  return [
    h("p", {class: access.bank_conflicts ? "conflict-text" : ""}, run.sentence(access)),
    ...memoryPicture(run, state, access, width),
    h("p", {class: "faint"}, run.arrays[access.array].shared
      ? "Rows of 32 words, so that a column is a bank. Grey: words that nobody has written yet, or ever will (padding). Hatched: where lanes meet in a bank."
      : "Rows of 128 bytes; each frame is a sector of 32 bytes, which moves as a whole."),
    lanesTable(run, access),
  ];
}

// One button an access, or a list where a step has many of them (an unrolled loop).
function accessChoice(names, chosen) {
  if (names.length <= 6)
    return h("div", {class: "choices"}, ...names.map((name, i) =>
      h("button", {"aria-pressed": i === chosen ? "true" : "false", onclick: () => go({access: i})}, name)));
  return h("div", {class: "choices"}, "of this step",
    h("select", {"aria-label": "access", onchange: (event) => go({access: Number(event.target.value)})},
      ...names.map((name, i) => h("option", {value: i, selected: i === chosen}, `${i + 1}: ${name}`))),
    h("button", {onclick: () => go({access: Math.max(0, chosen - 1)}), "aria-label": "access before"}, "‹"),
    h("button", {onclick: () => go({access: Math.min(names.length - 1, chosen + 1)}), "aria-label": "next access"}, "›"));
}

function drawMemory(run, state, width) {
  const step = run.steps[state.step];
  if (!step || !hasData(step)) {
    const nearest = step ? nearestData(run, state.step) : -1;
    if (nearest < 0) return [h("h2", {}, "Data"), h("p", {}, "No step touches shared or global memory, or shuffles.")];
    const where = run.steps[nearest];
    return [
      h("p", {class: "faint"}, `Step ${state.step + 1} touches no memory and shuffles nothing. ` +
        `Drawn is step ${nearest + 1}, line ${run.line(where)}, of block ${where.block}, warp ${where.warp}. `,
        h("button", {onclick: () => go({step: nearest})}, "go there")),
      ...drawMemory(run, {...state, step: nearest}, width)];
  }
  const accesses = step.accesses ?? [], shuffles = step.shuffles ?? [];
  const names = [...accesses.map((each) => accessName(run, each)), ...shuffles.map((each) => `shuffle ${reachOfShuffle(each)}`.trim())];
  const chosen = Math.min(state.access, names.length - 1);
  const shuffle = shuffles[chosen - accesses.length];
  return [
    h("h2", {}, `Data: ${names[chosen]}`),
    names.length > 1 ? accessChoice(names, chosen) : null,
    ...(shuffle ? [h("p", {}, shuffleSentence(shuffle)), shufflePicture(shuffle, width)]
                : accessParts(run, state, accesses[chosen], width)),
  ];
}
