// Where the page sees a finding, and whom it names there: the page's own functions, on small traces, without a browser.
// Usage: node findings_check.js FOLDER_OF_THE_PAGE
"use strict";
const fs = require("fs"), path = require("path"), assert = require("assert");

const parts = ["run", "turns", "view_findings"].map((name) => fs.readFileSync(path.join(process.argv[2], `${name}.js`), "utf8"));
const plural = (count, one) => `${count} ${one}`;
const {Run, placeOf, waitingAt} = new Function("plural", parts.join("\n") + "\nreturn {Run, placeOf, waitingAt};")(plural);

// A block of 64 threads; line 1 is an `if`, line 2 the barrier in it. The even lanes of both warps wait at it.
const even = 0x55555555, all = 0xffffffff;
const traced = (change) => new Run({
  launch: {kernel: "k", grid: [1, 1, 1], block: [64, 1, 1], findings: []}, limits: {blocks: 1, steps: 100, values: 0},
  blocks_left_out: 0, instructions_left_out: 0, all_values: true, sources: [{file: "k.cu", lines: ["if (x)", "__syncthreads();"]}],
  code: [{text: "bra", source: 0, line: 1}, {text: "bar.sync 0;", source: 0, line: 2}], arrays: [], values: [],
  steps: [{block: 0, warp: 0, interval: 0, lanes: all, first: 0, last: 0},
          {block: 0, warp: 0, interval: 0, lanes: even, first: 1, last: 1, arrival: true, defect: "barrier"},
          {block: 0, warp: 1, interval: 0, lanes: all, first: 0, last: 0},
          {block: 0, warp: 1, interval: 0, lanes: even, first: 1, last: 1, arrival: true}],
  barriers: [{block: 0, number: 0, after: 4, lanes: [even, even]}], ...change});
const finding = (change) => ({kind: "barrier", line: 2, block: 0, threads: [1, 3, 5], ...change});
const evens = [...Array(64).keys()].filter((thread) => thread % 2 === 0);

const run = traced();
assert.equal(placeOf(run, finding()).step, 1, "a barrier that threads go around is seen where the others wait");
const {number, waiting, elsewhere, absent} = waitingAt(run, 1);
assert.equal(number, 1);
assert.deepEqual(waiting, evens);
assert.deepEqual(elsewhere, []);
assert.deepEqual(absent, evens.map((thread) => thread + 1));

const stuck = waitingAt(traced({barriers: []}), 1);  // it never opened: who is absent, and who is late, is not known
assert.deepEqual([stuck.number, stuck.waiting, stuck.absent], [0, evens, []]);

const apart = waitingAt(traced({barriers: [{block: 0, number: 0, after: 4, lanes: [all, even]}]}), 1);
assert.deepEqual(apart.elsewhere, evens.map((thread) => thread + 1).filter((thread) => thread < 32));

assert.equal(placeOf(run, finding({kind: "sync", line: 1, threads: [40]})).step, 2, "the step of the thread");
assert.equal(placeOf(run, finding({kind: "race", line: 1, threads: []})).step, 0, "a race without threads is seen at its line");
assert.equal(placeOf(run, finding({kind: "race", line: 1, block: 1, threads: [0, 0]})).step, 0, "a race of two blocks as well");
assert.equal(placeOf(run, finding({kind: "out-of-bounds", line: 1, block: 1, threads: [0]})).step, -1, "another block's step is not it");
assert.equal(placeOf(traced({instructions_left_out: 5}), finding({kind: "race", line: 1, block: 1, threads: [0, 0]})).step, -1);
