// Source and costs: for each line what the whole launch spent on it, findings in their place, PTX on demand.

function costsOfLine({costs, share}) {
  return h("div", {class: "costs"}, ...costs.map(({style, text}) => style === "instructions"
    ? h("span", {class: share === 1 ? "hot" : ""}, h("span", {class: "bar", style: `width:${Math.max(1, 60 * share)}px`}), text)
    : h("span", {class: style}, text)));
}

function findingBox(run, index) {
  const finding = run.findings[index];
  return h("div", {class: "finding"},
           h("p", {}, h("b", {class: "kind"}, finding.kind), `: ${finding.message}`),
           h("p", {class: "faint"}, finding.note),
           finding.help ? h("p", {}, `help: ${finding.help}`) : null,
           h("button", {onclick: () => go({view: "findings", finding: index})}, "show the two sides"));
}

function ptxOfLine(run, source, line) {
  return h("details", {class: "ptx code"}, h("summary", {}, "PTX"), ...run.code.filter((each) => each.source === source && each.line === line)
    .map((each) => h("div", {}, each.text)));
}

function drawSource(run, state) {
  const files = run.sources.map(({file, lines}, source) => {
    const shown = run.lines[source].flatMap((line, i, all) => {
      const {number} = line, isChosen = state.line?.line === number && state.line?.source === source;
      const gap = i > 0 && all[i - 1].number !== number - 1 ? h("div", {class: "faint"}, "⋯") : [];
      return [gap, h("div", {class: `line${isChosen ? " chosen" : ""}`, "data-line": `${source}:${number}`},
               h("button", {class: "number", "aria-label": `line ${number}`, "aria-pressed": isChosen && "true",
                            onclick: () => go({line: isChosen ? null : {source, line: number}})}, `${number}`),
               h("div", {},
                 h("pre", {}, lines[number - 1] || " "),
                 line.costs ? costsOfLine(line) : null,
                 isChosen ? ptxOfLine(run, source, number) : null,
                 ...(line.findings ?? []).map((index) => findingBox(run, index))))];
    });
    return shown.length === 0 ? null : h("div", {class: "file"}, h("h2", {}, file || "no line information"), ...shown);
  });
  return [...files, ...run.findings_elsewhere.map((index) => findingBox(run, index))];
}

// Marks the line of the step at the cursor: the only thing on this side that a step changes.
function markLine(run, state) {
  const step = run.steps[state.step];
  const place = step ? `${step.source}:${step.line}` : "";
  for (const line of document.querySelectorAll("#source .line"))
    line.classList.toggle("now", line.dataset.line === place);
}
