// What can be told of a loop from its steps: which time a warp comes by a line, and how far apart or from how far
// away a step reads. Variables are not recorded; the stride of a reduction is seen in its addresses.

// Of each step {time, times}: its lanes come by its line for the `time`-th time (0 where lanes differ), and the lane of its
// warp that did so most came by `times` times. A line may be several parts of the program (a condition, and what stands
// behind it), of which a lane passes some more often than others: the most frequent one counts.
function turnsOf(run) {
  const visits = new Map();
  const visitsOf = (step) => {
    const key = `${step.block}/${step.warp}/${run.file(step)}/${run.line(step)}`;
    if (!visits.has(key)) visits.set(key, {ofPart: new Map(), most: 0});
    return visits.get(key);
  };
  const turns = run.steps.map((step) => {
    const {ofPart} = visitsOf(step);
    if (!ofPart.has(step.first)) ofPart.set(step.first, new Array(WARP).fill(0));
    const times = lanesOf(step.lanes).map((lane) => {
      ++ofPart.get(step.first)[lane];
      return Math.max(...[...ofPart.values()].map((part) => part[lane]));
    });
    visitsOf(step).most = Math.max(visitsOf(step).most, ...times);
    return {time: commonOf(times) ?? 0};
  });
  run.steps.forEach((step, i) => { turns[i].times = visitsOf(step).most; });
  return turns;
}

function ordinal(number) {
  const isTeen = Math.floor(number / 10) % 10 === 1;
  return number + ((!isTeen && ["th", "st", "nd", "rd"][number % 10]) || "th");
}

// "3rd"; empty where no lane came by twice, or lanes differ.
function turnText(turn) { return turn.times < 2 || turn.time === 0 ? "" : ordinal(turn.time); }

// The one value that all of them are; undefined where they differ, or there are none.
function commonOf(values) {
  const different = new Set(values);
  return different.size === 1 ? [...different][0] : undefined;
}

function moved(from, by) { return `${from}${by < 0 ? "-" : "+"}${Math.abs(by)}`; }

function distanceBetween(first, second) {
  if (first.lanes !== second.lanes || first.elements !== 1 || second.elements !== 1) return undefined;
  return commonOf(first.offsets.map((offset, i) => (second.offsets[i] - offset) / first.element_bytes));
}

// Of one lane alone it says nothing.
function distanceFromThread(run, step, access) {
  if (access.elements !== 1 || access.offsets.length < 2) return undefined;
  return commonOf(run.wants(access).map((want) => want.offset / access.element_bytes - (step.warp * WARP + want.lane)));
}

function reachOfReads(run, step) {
  const reads = (step.accesses ?? []).filter((access) => access.kind === "load");
  const apart = [...new Set(reads.map((access) => access.array))]
    .map((array) => reads.filter((access) => access.array === array))
    .filter((pair) => pair.length === 2).map(([first, second]) => Math.abs(distanceBetween(first, second) ?? 0));
  const distance = commonOf(apart.filter((each) => each !== 0));
  if (distance) return `${distance} apart`;
  const shared = reads.filter((access) => run.arrays[access.array].shared);
  const from = shared.length === 1 ? distanceFromThread(run, step, shared[0]) : 0;
  return from ? moved("tid", from) : "";
}

function reachOfShuffle({lanes, from}) {
  const takers = lanesOf(lanes);
  const distances = takers.map((lane, i) => from[i] - lane).filter((distance) => distance !== 0);
  if (distances.length === 0) return "";
  const giver = commonOf(from), flip = commonOf(takers.map((lane, i) => from[i] ^ lane)), distance = commonOf(distances);
  if (giver !== undefined) return `lane ${giver}`;
  if (flip !== undefined) return `lane^${flip}`;
  return distance === undefined ? "" : moved("lane", distance);
}

// Where it is the same for all lanes of the step, else empty: "4 apart" (two elements of an array are read), "tid+4" (one
// of shared memory, by the number of the thread), "lane+16" (a shuffle), "lane^1", "lane 0".
function reachOf(run, step) {
  const shuffles = step.shuffles ?? [];
  if (shuffles.length === 1) return reachOfShuffle(shuffles[0]);
  return shuffles.length === 0 ? reachOfReads(run, step) : "";
}

// The same as a clause, for the step at the cursor.
function reachWords(reach) {
  if (reach.endsWith("apart")) return `reads two elements ${reach}`;
  if (reach.startsWith("tid")) return `reads shared memory at [${reach.replace("tid", "thread ").replace(/([+-])/, "$1 ")}]`;
  return reach ? `takes the value of ${reach.replace("^", " ^ ").replace(/([+-])/, " $1 ")}` : "";
}
