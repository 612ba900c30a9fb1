// Making elements: h("p", {class: "faint"}, "text", child), and the same for SVG.

function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function replace(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child));
  return element;
}

// A drawing of that size, in units that are pixels, with a sentence for those who cannot see it.
function drawing(width, height, label, ...children) {
  const hatch = svg("pattern", {id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse",
                                patternTransform: "rotate(45)"},
                    svg("line", {x1: 0, y1: 0, x2: 0, y2: 5, class: "hatch"}));
  return svg("svg", {viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": label},
             svg("defs", {}, hatch), ...children);
}
