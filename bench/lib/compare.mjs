import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { median } from './statistics.mjs';

/** What else may use of the processors while a side is measured, as a share of them. */
const DISTURBED = 0.1;
/** Tries per round that is wanted. */
const TRIES = 2;
/** Fewer say nothing. */
const FEWEST = 3;
const QUIET_WAIT_MS = 3_000;
const LOOK_MS = 200;

/**
 * Measures two sides in turn, `rounds` times, the order changing from round to round, so that what else the machine
 * does meets both alike. Gives the figures of each and the ratio of each round.
 */
export async function interleaved(rounds, { ours, limit }, ratioOf) {
  const figures = { ours: [], limit: [], ratio: [] };
  for (let round = 0; round < rounds; round += 1) {
    const result = await bothIn(round, { ours, limit });
    figures.ours.push(result.ours);
    figures.limit.push(result.limit);
    figures.ratio.push(ratioOf(result.ours, result.limit));
  }
  return { ...figures, middle: median(figures.ratio) };
}

async function bothIn(round, sides) {
  const result = {};
  for (const side of round % 2 === 0 ? ['ours', 'limit'] : ['limit', 'ours']) {
    result[side] = await sides[side](round);
  }
  return result;
}

/**
 * The same for figures that tell `othersMs` besides `ms`, which more processors than the machine has would take part in:
 * what else runs there decides how they share them.
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
 * Each round waits for a quiet moment, and rounds in which something else used the processors are made again; `figuresOf`
 * gives the figures of a round that tell `ms` and `othersMs`. Says in `words` how many of the rounds were not disturbed;
 * where those are too few, all count.
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

/** Resolves when little runs on the machine, or has not come to an end after a while. */
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
