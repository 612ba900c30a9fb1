// One recorded launch, and the questions that the views ask of it. Every number is the trace's own: nothing
// is counted anew.

const WARP = 32;

// The lanes of a mask, ascending.
function lanesOf(mask) {
  const lanes = [];
  for (let lane = 0; lane < WARP; ++lane) if ((mask >>> lane) & 1) lanes.push(lane);
  return lanes;
}

// "0 to 15", "0, 2, 4 ... 30", "5": numbers that ascend.
function listed(numbers) {
  if (numbers.length === 0) return "none";
  if (numbers.length === 1) return `${numbers[0]}`;
  const step = numbers[1] - numbers[0];
  const last = numbers[numbers.length - 1];
  const isEven = numbers.every((number, i) => number === numbers[0] + i * step);
  if (isEven && step === 1) return `${numbers[0]} to ${last}`;
  if (isEven && numbers.length > 4) return `${numbers[0]}, ${numbers[1]}, ${numbers[2]} … ${last}`;
  if (numbers.length <= 6) return numbers.slice(0, -1).join(", ") + ` and ${last}`;
  return numbers.slice(0, 5).join(", ") + ` and ${numbers.length - 5} more`;
}

class Run {
  constructor(traced) {
    Object.assign(this, traced);
    this.report = traced.launch;
    this.threads = this.report.block.reduce((a, b) => a * b, 1);
    this.warps = Math.ceil(this.threads / WARP);
    this.blocks = [...new Set(this.steps.map((step) => step.block))].sort((a, b) => a - b);
    this.layouts = new Map();
    this.turns = turnsOf(this);
  }

  title() {
    const {kernel, grid, block} = this.report;
    const size = (extent) => extent.filter((n, i) => i === 0 || n > 1).join(" × ");
    const n = this.report.elements ? `, n = ${this.report.elements}` : "";
    return `${kernel}: ${size(grid)} ${size(grid) === "1" ? "block" : "blocks"} of ${size(block)} threads${n}`;
  }

  // What is missing, in sentences; empty where nothing is.
  leftOut() {
    const sentences = [];
    if (this.blocks_left_out > 0)
      sentences.push(`Drawn are the first ${plural(this.limits.blocks, "block")}; ` +
                     `${plural(this.blocks_left_out, "more block")} ran as well, and count in the costs.`);
    const rest = this.instructions_left_out;
    if (rest > 0 && this.steps.length > 0 && this.blocks.some((b) => this.stepsOf(b).length >= this.limits.steps))
      sentences.push(`Of each block ${this.limits.steps} steps are drawn; what came after them is not.`);
    if (!this.all_values) sentences.push("So many values were made that not all are followed.");
    if (!this.report.completed) sentences.push("The launch ended early: this is all that happened until then.");
    return sentences;
  }

  // Whether every step of every block was recorded.
  isWhole() { return this.blocks_left_out === 0 && this.instructions_left_out === 0; }

  // The block barrier at which the step has arrived, as it opened; undefined where it arrives at none, or none opened.
  openingBehind(index) {
    const step = this.steps[index];
    if (!step.arrival) return undefined;
    return this.barriers.find((each) => each.block === step.block && each.after > index && each.lanes[step.warp] & step.lanes);
  }

  // "warp 1, threads 32 to 63"; of warp 0, whose lanes bear the threads' numbers, "warp 0".
  warpName(warp) {
    return warp === 0 ? "warp 0" : `warp ${warp}, threads ${WARP * warp} to ${Math.min(this.threads, WARP * (warp + 1)) - 1}`;
  }
  line(step) { return this.code[step.first].line; }
  file(step) { return this.code[step.first].source; }
  text(source, line) { return (this.sources[source].lines[line - 1] ?? "").trim(); }
  isAt(step, place) { return place && this.line(step) === place.line && this.file(step) === place.source; }
  instructions(step) { return this.code.slice(step.first, step.last + 1); }
  stepsOf(block) { return this.steps.filter((step) => step.block === block); }

  // Rows of a block's steps: a warp's steps follow each other, and all warps begin a new interval together
  // behind a block barrier. {row of each step, first row of each interval, number of rows}
  layout(block) {
    if (this.layouts.has(block)) return this.layouts.get(block);
    const next = new Map();  // "interval/warp" -> rows so far
    const heights = new Map();
    for (const step of this.stepsOf(block)) {
      const key = `${step.interval}/${step.warp}`;
      const row = next.get(key) ?? 0;
      next.set(key, row + 1);
      heights.set(step.interval, Math.max(heights.get(step.interval) ?? 0, row + 1));
    }
    const starts = new Map();
    let rows = 0;
    for (const interval of [...heights.keys()].sort((a, b) => a - b)) {
      starts.set(interval, rows);
      rows += heights.get(interval);
    }
    next.clear();
    const rowOf = new Map();
    this.steps.forEach((step, index) => {
      if (step.block !== block) return;
      const key = `${step.interval}/${step.warp}`;
      const row = next.get(key) ?? 0;
      next.set(key, row + 1);
      rowOf.set(index, starts.get(step.interval) + row);
    });
    const layout = {rowOf, starts, rows};
    this.layouts.set(block, layout);
    return layout;
  }

  // What each lane of an access asks for, in words of 4 bytes: [{lane, word, words, value, offset}]; `word`
  // counts from the start of shared memory, or of the allocation.
  wants(access) {
    const start = this.arrays[access.array].start;
    return lanesOf(access.lanes).map((lane, i) => ({
      lane,
      offset: access.offsets[i],
      word: Math.floor((start + access.offsets[i]) / 4),
      words: Math.max(1, (access.elements * access.element_bytes) / 4),
      values: access.values.slice(i * access.elements, (i + 1) * access.elements),
    }));
  }

  // The words of shared memory of the step's block as they are just before it: Map of word -> text.
  sharedBefore(index) {
    const words = new Map();
    const block = this.steps[index].block;
    for (let i = 0; i < index; ++i) {
      const step = this.steps[i];
      if (step.block !== block) continue;
      for (const access of step.accesses ?? []) this.#store(access, words);
    }
    return words;
  }

  #store(access, words) {
    if (access.kind === "load" || !this.arrays[access.array].shared) return;
    const values = access.kind === "store" ? access.values : access.after ?? [];
    this.wants(access).forEach((want, i) => {
      for (let e = 0; e < access.elements; ++e)
        words.set(want.word + Math.floor((e * access.element_bytes) / 4), values[i * access.elements + e]);
    });
  }

  // The fullest bank of a shared access, by its words (of an atomic: its lanes), and the numbers of others that are as
  // full: {bank, words: Set, lanes, others}.
  fullestBank(access, isAtomic) {
    const banks = new Map();
    for (const want of this.wants(access)) {
      for (let w = 0; w < want.words; ++w) {
        const bank = (want.word + w) % WARP;
        if (!banks.has(bank)) banks.set(bank, {bank, words: new Set(), lanes: []});
        banks.get(bank).words.add(want.word + w);
        banks.get(bank).lanes.push(want.lane);
      }
    }
    const load = (each) => (isAtomic ? each.lanes.length : each.words.size);
    const most = Math.max(...[...banks.values()].map(load));
    const [fullest, ...others] = [...banks.values()].filter((each) => load(each) === most).sort((a, b) => a.bank - b.bank);
    return {...fullest, others: others.map((each) => each.bank)};
  }

  // What an access costs, as a sentence.
  sentence(access) {
    const array = this.arrays[access.array];
    const lanes = lanesOf(access.lanes).length;
    const who = `${plural(lanes, "lane")} ${lanes === 1 ? "asks" : "ask"}`;
    if (!array.shared) {
      if (access.continued) return `${who} in the same request.`;
      return `${who} for ${plural(access.sectors ?? 0, "sector")} of 32 bytes.`;
    }
    if (access.continued) return `${who} in the same request.`;
    const wavefronts = access.wavefronts ?? 0;
    const isAtomic = access.kind === "atomic" || access.kind === "reduction";
    const conflicts = access.bank_conflicts ?? 0;
    if (conflicts === 0) return `${who}; no bank is asked for two different words at once: ${plural(wavefronts, "wavefront")}.`;
    const {bank, words, lanes: meeting, others} = this.fullestBank(access, isAtomic);
    const asMany = others.length ? `, and as many of ${others.length === 1 ? "bank" : "banks"} ${listed(others)}` : "";
    if (isAtomic)
      return `${plural(meeting.length, "lane")} meet in bank ${bank}, and atomics go one after the other: ` +
             `${plural(wavefronts, "wavefront")}.`;
    return `${plural(new Set(meeting).size, "lane")} want ${words.size} different words of bank ${bank}${asMany}: ` +
           `${plural(wavefronts, "wavefront")}, ${plural(conflicts, "conflict")}.`;
  }

  // The steps in which a thread of a block executed a line.
  stepsAt(block, thread, line) {
    const warp = Math.floor(thread / WARP);
    return this.steps.map((step, index) => ({step, index})).filter(({step}) =>
      step.block === block && step.warp === warp && (step.lanes >>> (thread % WARP)) & 1 &&
      this.line(step) === line);
  }
}
