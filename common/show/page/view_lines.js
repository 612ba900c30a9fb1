// Source and costs: for each line what the whole launch spent on it, findings in their place, PTX on demand.

function costsOfLine(counters, most) {
  const sum = (...names) => names.reduce((total, name) => total + counters[name], 0);
  const parts = [];
  const instructions = counters.warp_instructions;
  const busy = Math.round((100 * counters.thread_instructions) / (WARP * instructions));
  parts.push(h("span", {class: instructions === most ? "hot" : ""},
               h("span", {class: "bar", style: `width:${Math.max(1, (60 * instructions) / most)}px`}),
               plural(instructions, "instruction")));
  parts.push(h("span", {}, `${busy} % lanes busy`));
  const wavefronts = sum("shared_load_wavefronts", "shared_store_wavefronts", "shared_atomic_wavefronts");
  const conflicts = sum("shared_load_bank_conflicts", "shared_store_bank_conflicts",
                        "shared_atomic_bank_conflicts");
  if (wavefronts) parts.push(h("span", {}, plural(wavefronts, "wavefront")));
  if (conflicts) parts.push(h("span", {class: "conflict"}, `▨ ${plural(conflicts, "bank conflict")}`));
  const sectors = sum("global_load_sectors", "global_store_sectors", "global_atomic_sectors");
  if (sectors) parts.push(h("span", {}, plural(sectors, "sector")));
  if (counters.divergent_branches)
    parts.push(h("span", {class: "divergent"},
                 `◇ ${plural(counters.divergent_branches, "divergent branch", "divergent branches")}`));
  if (counters.block_barriers) parts.push(h("span", {}, plural(counters.block_barriers, "barrier")));
  return h("div", {class: "costs"}, ...parts);
}

function findingBox(run, finding, index) {
  return h("div", {class: "finding"},
           h("p", {}, h("b", {class: "kind"}, finding.kind), `: ${finding.message}`),
           h("p", {class: "faint"}, finding.note),
           finding.help ? h("p", {}, `help: ${finding.help}`) : null,
           h("button", {onclick: () => go({view: "findings", finding: index})}, "show the two sides"));
}

// The kernel's own lines of a file: those that ran, those of findings, and what stands around them.
function shownLines(run, source) {
  const {file, lines} = run.sources[source];
  const used = [...run.code.filter((each) => each.source === source && each.line > 0).map((each) => each.line),
                ...run.report.findings.filter((each) => each.file === file).map((each) => each.line)];
  const shown = new Set();
  for (const line of used)
    for (let near = Math.max(1, line - 3); near <= Math.min(lines.length, line + 2); ++near) shown.add(near);
  return [...shown].sort((a, b) => a - b);
}

function drawSource(run, state) {
  const most = Math.max(1, ...run.report.lines.map((line) => line.counters.warp_instructions));
  const files = run.sources.map((file, source) => {
    const numbers = shownLines(run, source);
    const lines = numbers.flatMap((number, i) => {
      const counted = run.report.lines.find((line) => line.file === file.file && line.line === number);
      const isChosen = state.line?.line === number && state.line?.source === source;
      const findings = run.report.findings
        .map((finding, index) => ({finding, index}))
        .filter(({finding}) => finding.file === file.file && finding.line === number);
      const gap = i > 0 && numbers[i - 1] !== number - 1 ? h("div", {class: "faint"}, "⋯") : [];
      return [gap, h("div", {class: `line${isChosen ? " chosen" : ""}`, "data-line": `${source}:${number}`},
               h("button", {class: "number", "aria-label": `line ${number}`, "aria-pressed": isChosen && "true",
                            onclick: () => go({line: isChosen ? null : {source, line: number}})}, `${number}`),
               h("div", {},
                 h("pre", {}, file.lines[number - 1] || " "),
                 counted ? costsOfLine(counted.counters, most) : null,
                 isChosen ? h("div", {class: "ptx code"},
                              ...run.code.filter((each) => each.source === source && each.line === number)
                                .map((each) => h("div", {}, each.text))) : null,
                 ...findings.map(({finding, index}) => findingBox(run, finding, index))))];
    });
    return lines.length === 0 ? null : h("div", {class: "file"}, h("h2", {}, file.file || "no line information"), ...lines);
  });
  const elsewhere = run.report.findings.filter((finding) =>
    !run.sources.some((file, source) => file.file === finding.file && shownLines(run, source).includes(finding.line)));
  return [...files, ...elsewhere.map((finding) => findingBox(run, finding, run.report.findings.indexOf(finding)))];
}

// Marks the line of the step at the cursor: the only thing on this side that a step changes.
function markLine(run, state) {
  const step = run.steps[state.step];
  const place = step ? `${run.file(step)}:${run.line(step)}` : "";
  for (const line of document.querySelectorAll("#source .line"))
    line.classList.toggle("now", line.dataset.line === place);
}
