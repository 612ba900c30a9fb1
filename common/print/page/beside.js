// Two runs side by side: who works when, on the same axes, and the counters of both.

function countersTable(a, b) {
  const rows = Object.keys(a.report.counters)
    .filter((name) => name !== "lane_utilisation" && (a.report.counters[name] || b.report.counters[name]))
    .map((name) => h("tr", {}, h("td", {}, name.replaceAll("_", " ")), h("td", {}, `${a.report.counters[name]}`),
                     h("td", {}, `${b.report.counters[name]}`)));
  const percent = (run) => `${(100 * run.report.counters.lane_utilisation).toFixed(1)} %`;
  return h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "counter"), h("th", {}, "left"), h("th", {}, "right"))),
           h("tbody", {}, ...rows, h("tr", {}, h("td", {}, "lanes busy"), h("td", {}, percent(a)), h("td", {}, percent(b)))));
}

function drawBeside(run, state, width) {
  const other = app.beside[0];
  const half = (width - 18) / 2;
  const column = (each, name, isCursor) => h("div", {}, h("h2", {}, name), h("p", {class: "faint"}, each.title),
    each.steps.length > 0 ? whenPicture(each, each.blocks[0].number, half, isCursor ? state : null) : h("p", {}, "No step was recorded."));
  return [
    h("p", {class: "faint"}, "Both start at the top, with a row for each step: the longer one did more. Rows show order, not time."),
    h("div", {class: "pair"}, column(run, app.names[0], true), column(other, app.names[1], false)),
    h("h2", {}, "Counters of the whole launches"),
    countersTable(run, other),
  ];
}

views.beside = {title: "Side by side", draw: drawBeside, isWide: true, hidesSource: true, isOffered: () => app.beside.length > 0};
