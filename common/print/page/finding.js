// Findings: of a race the two accesses and what orders them (nothing); of any other the lanes that were there, and those
// that were not.

function racePicture(finding, width) {
  const [first, second] = finding.sides, left = Math.min(first.thread, second.thread), right = Math.max(first.thread, second.thread);
  const w = Math.min(width, 620), column = w / 2;
  const box = (y, side) => {
    const x = side.thread < right ? 0 : column;
    return [svg("rect", {class: "word asked", x, y, width: column - 16, height: 54, rx: 3}),
            svg("text", {x: x + 8, y: y + 16}, `thread ${side.thread}`),
            svg("text", {x: x + 8, y: y + 31}, side.does),
            svg("text", {x: x + 8, y: y + 46, class: "faint"}, side.where)];
  };
  return drawing(w, 242, `${finding.message}; ${finding.note}`,
    svg("text", {x: 0, y: 13}, `thread ${left}`), svg("text", {x: column, y: 13}, `thread ${right}`),
    svg("line", {class: "barrier", x1: 0, x2: w, y1: 34, y2: 34}),
    svg("text", {x: 0, y: 30, class: "faint"}, `the last point that both have passed: ${finding.last_order}`),
    box(48, first),
    svg("line", {class: "defect", x1: 0, x2: w, y1: 132, y2: 132, "stroke-dasharray": "2 7"}),
    svg("text", {x: 0, y: 124}, "✕ nothing here puts one before the other"),
    box(146, second),
    svg("text", {x: 0, y: 222, class: "faint"}, "This was the order in this run; another run may differ."));
}

// The lanes of a warp: some filled, some with a cross.
function lanesStrip({lanes, crossed, label}, width) {
  const cell = Math.min(18, (width - 4) / WARP);
  const parts = [];
  for (let lane = 0; lane < WARP; ++lane) {
    const x = lane * cell;
    parts.push(svg("rect", {class: (lanes >>> lane) & 1 ? "lane" : "idle", x, y: 16, width: cell - 1, height: cell - 1}));
    if ((crossed >>> lane) & 1)
      parts.push(svg("path", {class: "defect", d: `M${x + 3} 19L${x + cell - 4} ${cell + 12}M${x + cell - 4} 19L${x + 3} ${cell + 12}`}));
    if (lane % 8 === 0) parts.push(svg("text", {x, y: 11, class: "faint"}, `${lane}`));
  }
  return drawing(WARP * cell + 4, cell + 20, label, ...parts);
}

function findingHead(run, state, chosen) {
  const finding = run.findings[chosen];
  return [
    h("h2", {}, `Finding ${chosen + 1} of ${run.findings.length}`),
    run.findings.length > 1 ? h("div", {class: "choices"}, ...run.findings.map((each, i) =>
      h("button", {"aria-pressed": i === chosen ? "true" : "false", onclick: () => go({finding: i})}, `${each.kind}, line ${each.line}`))) : null,
    h("div", {class: "finding"}, h("p", {}, h("b", {class: "kind"}, finding.kind), `: ${finding.message}`),
      h("p", {class: "code"}, `${finding.file}:${finding.line}: ${finding.source.trim()}`),
      finding.other_line ? h("p", {class: "code"}, `${finding.other_file}:${finding.other_line}: ${(finding.other_source ?? "").trim()}`) : null,
      h("p", {class: "faint"}, finding.note), finding.help ? h("p", {}, `help: ${finding.help}`) : null),
  ];
}

function drawFindings(run, state, width) {
  if (run.findings.length === 0)
    return [h("h2", {}, "Findings"), h("p", {}, "None: no race, nothing out of bounds, nothing read before it was written.")];
  const chosen = Math.min(state.finding, run.findings.length - 1), finding = run.findings[chosen];
  const head = findingHead(run, state, chosen);
  const buttonTo = (step, words) => h("button", {onclick: () => go({step})}, words);
  if (finding.sides)
    return [...head, racePicture(finding, width), finding.sentence ? h("p", {class: "faint"}, finding.sentence) : null,
            h("div", {class: "choices"}, ...finding.sides.map((side) => buttonTo(side.step, `go to thread ${side.thread} ${side.does}`)))];
  const rows = finding.rows ?? [];
  const caption = ({warp, name, crossed, crossed_name}) =>
    h("p", {class: "faint"}, `${run.warps[warp]}: ${name}${crossed ? `; ✕ ${crossed_name}` : ""}`);
  return [...head, h("p", {}, finding.sentence),
          ...rows.flatMap((row) => [rows.length > 1 ? caption(row) : null, lanesStrip(row, width)]),
          finding.step === undefined ? null : h("div", {class: "choices"}, buttonTo(finding.step, "go to this step"))];
}

views.findings = {title: "Findings", draw: drawFindings};
