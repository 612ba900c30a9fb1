// One recorded launch: its trace (docs/trace.schema.json), and with each part of it what it comes to
// (recorded_run_page_data.cpp), of which the pictures of `--svg` are made too. The page draws both and works nothing out.

const WARP = 32;

// The tabs, in their order: {title, draw(run, state, width) -> elements}, and where it is not as usual {isWide: it stands above
// the source, hidesSource, isOffered(), move(element, step): draws another step of the same block without drawing anew}.
const views = {};

// The lanes of a mask, ascending.
function lanesOf(mask) {
  const lanes = [];
  for (let lane = 0; lane < WARP; ++lane) if ((mask >>> lane) & 1) lanes.push(lane);
  return lanes;
}

function joined(things = [], facts = []) { return things.map((thing, i) => ({...thing, ...facts[i]})); }

class Run {
  constructor(traced, facts) {
    Object.assign(this, traced, facts);
    this.report = traced.launch;
    this.steps = traced.steps.map((step, i) => {
      const {line, source} = this.code[step.first], more = facts.steps[i];
      return {notes: [], writes: [], ...step, ...more, line, source,
              accesses: joined(step.accesses, more.accesses), shuffles: joined(step.shuffles, more.shuffles)};
    });
    this.values = traced.values.map((value, i) => ({from: [], ...value, depth: facts.depths[i]}));
    this.findings = joined(this.report.findings, facts.findings);
  }

  block(number) { return this.blocks.find((block) => block.number === number); }
  isAt(step, place) { return place && step.line === place.line && step.source === place.source; }
  text(step) { return (this.sources[step.source].lines[step.line - 1] ?? "").trim(); }
  lanesText(step) { return this.lanes_in_words[step.lanes]; }

  // The words of shared memory of the step's block as they are just before it: Map of word -> text.
  sharedBefore(index) {
    const words = new Map();
    for (const step of this.steps.slice(0, index))
      if (step.block === this.steps[index].block) for (const [word, text] of step.writes) words.set(word, text);
    return words;
  }
}
