// Data: the words of an array in rows of 32, so that in shared memory a column is a bank; the lanes of the
// step above them, and a line from each lane to its word. Of a shuffle, lanes above and lanes below.

// What fits into a word's cell; a dot where something stands there that does not; nothing where hardly anything would.
function wordText(text, cell) {
  if (text === undefined || text === "unwritten" || cell < 16) return "";
  return text.length * 6.2 <= cell - 2 ? text : "·";
}

// A row of the 32 lanes, those of the mask filled: rectangles, and numbers above.
function laneCells(lanes, xOf, y, cell, isNumbered = true) {
  const parts = [], size = Math.max(cell - 1, 1);
  for (let lane = 0; lane < WARP; ++lane) {
    parts.push(svg("rect", {class: lanes.has(lane) ? "lane" : "idle", x: xOf(lane), y, width: size, height: size}));
    if (isNumbered && lane % (cell < 13 ? 8 : 4) === 0) parts.push(svg("text", {x: xOf(lane), y: y - 5, class: "faint"}, `${lane}`));
  }
  return parts;
}

// What a store or an atomic leaves in its words: Map of word -> text; of elements that are words.
function storedWords(access) {
  const values = access.after ?? (access.kind === "store" ? access.values : []), words = new Map();
  if (access.element_bytes === 4)
    access.words.forEach((word, i) => {
      for (let e = 0; e < access.elements; ++e) words.set(word + e, values[i * access.elements + e]);
    });
  return values.length > 0 ? words : new Map();
}

function memoryPicture(run, state, access, width) {
  const array = run.arrays[access.array], {rows} = access;
  const left = 52;
  const cell = Math.min(30, (width - left - 4) / WARP);
  const size = Math.max(cell - 1, 1);
  const stored = storedWords(access);
  const height = Math.max(cell, stored.size && cell >= 16 ? 28 : 14);  // what stood there, above what is written
  const top = 30, gridTop = top + 70, pitch = height + 2;
  const xOf = (column) => left + column * cell;
  const yOf = (row) => gridTop + rows.indexOf(row) * pitch;
  const before = array.shared ? run.sharedBefore(state.step) : new Map();
  const asked = new Map(access.asked.map(([word, value, isConflict]) => [word, {value, isConflict}]));

  const parts = [svg("text", {x: 0, y: top + cell - 3}, "lane"), ...laneCells(new Set(lanesOf(access.lanes)), xOf, top, cell)];
  for (const row of rows) {
    const firstWord = row * WARP;
    const index = Math.floor(Math.max(0, 4 * firstWord - array.start) / array.element_bytes);
    parts.push(svg("text", {x: 0, y: yOf(row) + height - 4}, `[${index}]`));
    for (let column = 0; column < WARP; ++column) {
      const word = firstWord + column, ask = asked.get(word);
      if (4 * word < array.start || 4 * word >= array.start + array.bytes) continue;
      const text = ask?.value ?? before.get(word), after = stored.get(word);
      const isUnwritten = array.shared && (text === undefined || text === "unwritten");
      parts.push(svg("rect", {class: `word${isUnwritten ? " unwritten" : ""}${ask ? " asked" : ""}${ask?.isConflict ? " conflict" : ""}`,
                              x: xOf(column), y: yOf(row), width: size, height: height - 1},
                     svg("title", {}, `word ${word}${array.shared ? `, bank ${column}` : ""}: ${text ?? "not seen"}` +
                                      (after === undefined ? "" : `, then ${after}`))));
      const middle = yOf(row) + height / 2 + 3;
      const put = (words, y, style) => words && parts.push(svg("text", {class: style, x: xOf(column) + size / 2, y, "text-anchor": "middle",
                                                                        style: "font-size:10px"}, words));
      put(wordText(text, cell), after === undefined ? middle : middle - 7, after === undefined ? "" : "faint");
      put(wordText(after, cell), middle + 7, "");
    }
    if (!array.shared)
      for (let sector = 0; sector < 4; ++sector)
        parts.push(svg("rect", {class: "sector", x: xOf(8 * sector) - 0.5, y: yOf(row) - 1.5, width: 8 * cell, height: height + 2}));
  }
  if (array.shared)
    for (let bank = 0; bank < WARP; bank += cell < 13 ? 8 : 4)
      parts.push(svg("text", {x: xOf(bank), y: gridTop + rows.length * pitch + 11, class: "faint"}, bank === 0 ? "bank 0" : `${bank}`));
  const isRead = access.kind === "load";
  lanesOf(access.lanes).forEach((lane, i) => {
    const word = access.words[i], row = Math.floor(word / WARP);
    if (!rows.includes(row)) return;
    const x1 = xOf(lane) + size / 2, x2 = xOf(word % WARP) + size / 2, y2 = yOf(row);
    parts.push(svg("path", {class: isRead ? "read" : "write", d: `M${x1} ${top + size}L${x2} ${y2}`}));
    parts.push(isRead ? svg("circle", {class: "end", cx: x2, cy: y2, r: 2.2})
                      : svg("rect", {class: "end", x: x2 - 2, y: y2 - 2, width: 4, height: 4}));
  });
  return [drawing(width, gridTop + rows.length * pitch + 16, access.sentence, ...parts),
          access.rows_left_out ? h("p", {class: "faint"}, access.rows_left_out) : null];
}

// A shuffle: the lanes that give above, those that get below.
function shufflePicture(shuffle, width) {
  const left = 52, cell = Math.min(30, (width - left - 4) / WARP), size = Math.max(cell - 1, 1);
  const xOf = (lane) => left + lane * cell;
  const upper = 30, lower = 130;
  const lanes = lanesOf(shuffle.lanes);
  const parts = [svg("text", {x: 0, y: upper + cell - 3}, "from"), svg("text", {x: 0, y: lower + cell - 3}, "to"),
                 ...laneCells(new Set(shuffle.from), xOf, upper, cell), ...laneCells(new Set(lanes), xOf, lower, cell, false)];
  lanes.forEach((lane, i) => {
    const x1 = xOf(shuffle.from[i]) + size / 2, x2 = xOf(lane) + size / 2;
    parts.push(svg("path", {class: "read", d: `M${x1} ${upper + size}L${x2} ${lower}`}),
               svg("circle", {class: "end", cx: x2, cy: lower, r: 2.2}));
    const text = wordText(shuffle.values[i], cell);
    if (text) parts.push(svg("text", {x: x2, y: lower + size + 12, "text-anchor": "middle", style: "font-size:10px"}, text));
  });
  return drawing(width, lower + cell + 22, "Which lane gets whose value.", ...parts);
}

function lanesTable(run, access) {
  const array = run.arrays[access.array], {name, shared} = array, {elements} = access;
  const textOf = (values, i) => values.slice(i * elements, (i + 1) * elements).join(" ");
  const rows = lanesOf(access.lanes).map((lane, i) =>
    h("tr", {}, h("td", {}, `lane ${lane}`), h("td", {}, `${name}[${Math.floor(access.offsets[i] / array.element_bytes)}]`),
      h("td", {}, shared ? `bank ${access.words[i] % WARP}` : `sector ${Math.floor(access.words[i] / 8)}`),
      h("td", {}, textOf(access.values, i)), access.after ? h("td", {}, `then ${textOf(access.after, i)}`) : null));
  return h("details", {}, h("summary", {}, "each lane, its place and its value"),
           h("div", {class: "lanes-table", tabindex: "0"}, h("table", {}, ...rows)));
}

function accessParts(run, state, access, width) {
  return [
    h("p", {class: access.bank_conflicts ? "conflict-text" : ""}, access.sentence),
    ...memoryPicture(run, state, access, width),
    h("p", {class: "faint"}, run.arrays[access.array].shared
      ? "Rows of 32 words, so each column is a bank. Grey: words that no thread has written yet, or ever will (padding). Hatched: a bank conflict."
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
    h("button", {onclick: () => go({access: Math.max(0, chosen - 1)}), "aria-label": "previous access"}, "‹"),
    h("button", {onclick: () => go({access: Math.min(names.length - 1, chosen + 1)}), "aria-label": "next access"}, "›"));
}

function drawData(run, state, width) {
  const step = run.steps[state.step];
  const things = step ? [...step.accesses, ...step.shuffles] : [];
  if (things.length === 0 && step?.data === undefined)
    return [h("h2", {}, "Data"), h("p", {}, "No step touches shared or global memory, or shuffles.")];
  if (things.length === 0) {
    const where = run.steps[step.data];
    return [
      h("p", {class: "faint"}, `Step ${state.step + 1} touches no memory and shuffles nothing. ` +
        `This is step ${step.data + 1}, line ${where.line}, of block ${where.block}, warp ${where.warp}. `,
        h("button", {onclick: () => go({step: step.data})}, "go there")),
      ...drawData(run, {...state, step: step.data}, width)];
  }
  const chosen = Math.min(state.access, things.length - 1), thing = things[chosen];
  return [
    h("h2", {}, `Data: ${thing.name}`),
    things.length > 1 ? accessChoice(things.map((each) => each.name), chosen) : null,
    ...(thing.from ? [h("p", {}, thing.sentence), shufflePicture(thing, width)] : accessParts(run, state, thing, width)),
  ];
}

views.data = {title: "Data", draw: drawData};
