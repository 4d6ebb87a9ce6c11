import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { median } from './statistics.mjs';

/** The maximum share of the processors that other programs may use while a side is measured. */
const DISTURBED = 0.1;
/** Tries per wanted round. */
const TRIES = 2;
/** The minimum number of rounds. */
const FEWEST = 3;
const QUIET_WAIT_MS = 3_000;
const LOOK_MS = 200;
/** A round whose limit is this much above or below the median of all tells of the machine, not of us. */
const MOVED = 1.2;

/**
 * The rounds of two lists of figures whose limit stayed where it was, and how many were dropped; all of them where too few
 * stayed, or where the limit is no number.
 */
export function steady({ ours, limit }) {
  const middle = median(limit);
  const kept = [...limit.keys()].filter((at) => limit[at] <= middle * MOVED && limit[at] >= middle / MOVED);
  if (kept.length === limit.length || kept.length < Math.min(FEWEST, limit.length))
    return { ours, limit, dropped: 0 };
  const of = (figures) => kept.map((at) => figures[at]);
  return { ours: of(ours), limit: of(limit), dropped: limit.length - kept.length };
}

/**
 * Measures two sides in turn, `rounds` times, in alternating order, so that other load affects both alike.
 * Returns the figures of each and the ratio of each round, without the rounds that are not `steady`.
 */
export async function interleaved(rounds, { ours, limit }, ratioOf) {
  const all = { ours: [], limit: [] };
  for (let round = 0; round < rounds; round += 1) {
    const result = await bothIn(round, { ours, limit });
    all.ours.push(result.ours);
    all.limit.push(result.limit);
  }
  const { dropped, ...figures } = steady(all);
  if (dropped > 0) console.log(`bench: ${dropped} of ${rounds} rounds dropped: their limit moved`);
  const ratio = figures.ours.map((one, at) => ratioOf(one, figures.limit[at]));
  return { ...figures, ratio, middle: median(ratio) };
}

async function bothIn(round, sides) {
  const result = {};
  for (const side of round % 2 === 0 ? ['ours', 'limit'] : ['limit', 'ours']) {
    result[side] = await sides[side](round);
  }
  return result;
}

/**
 * The same for figures with `othersMs` besides `ms` that use more processors than the machine has: other load
 * would decide how they are shared.
 */
export async function undisturbed(rounds, { ours, limit }, ratioOf) {
  const waiting = (side) => async (round) => {
    await quiet();
    return side(round);
  };
  const sides = { ours: waiting(ours), limit: waiting(limit) };
  const { taken, words } = await calmRounds(
    rounds,
    (round) => bothIn(round, sides),
    (result) => [result.ours, result.limit],
  );
  const ratio = taken.map((one) => ratioOf(one.ours, one.limit));
  return {
    ours: taken.map((one) => one.ours),
    limit: taken.map((one) => one.limit),
    ratio,
    middle: median(ratio),
    undisturbed: words,
  };
}

/**
 * Each round waits until the machine is quiet, and rounds disturbed by other programs are repeated;
 * `figuresOf` returns the figures of a round with `ms` and `othersMs`. `words` reports how many rounds were
 * undisturbed; if these are too few, all count.
 */
export async function calmRounds(rounds, measure, figuresOf = (result) => [result]) {
  const all = [];
  const calm = [];
  for (let round = 0; round < rounds * TRIES && calm.length < rounds; round += 1) {
    await quiet();
    const result = await measure(round);
    all.push(result);
    if (figuresOf(result).every(isCalm)) calm.push(result);
  }
  const taken = calm.length >= Math.min(FEWEST, rounds) ? calm : all;
  const words = `${calm.length} of ${all.length} rounds were undisturbed, ${taken === calm ? 'and only they count' : 'too few: all count'}`;
  return { taken, words };
}

const isCalm = ({ ms, othersMs }) => othersMs === undefined || othersMs < ms * cpus().length * DISTURBED;

/** Resolves when the machine is mostly idle, or after a maximum wait. */
async function quiet() {
  const until = performance.now() + QUIET_WAIT_MS;
  let before = busyMs();
  while (before !== null && performance.now() < until) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    const now = busyMs();
    if (now - before < LOOK_MS * cpus().length * DISTURBED) return;
    before = now;
  }
}

function busyMs() {
  try {
    const fields = readFileSync('/proc/stat', 'utf8').split('\n')[0].split(/\s+/).slice(1, 9).map(Number);
    return fields.reduce((sum, ticks, at) => (at === 3 || at === 4 ? sum : sum + ticks), 0) * 10;
  } catch {
    return null;
  }
}
