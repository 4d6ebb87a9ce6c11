/**
 * Configures fast-check for the tests. A test run uses the same inputs each time, so that a failure is caused by a change,
 * and a tenth of those that a property names; `npm run soak` uses new inputs, and all of them.
 */
import real from '../../node_modules/fast-check/lib/fast-check.js';

const FIXED_SEED = 20261122;
const FAST_CHECK_RUNS = 100;
/** A property with so few inputs keeps them all. */
const FEWEST_RUNS = 4;
const PART = 0.1;

const seed = process.env.MUSTER_PROPERTY_SEED ? Number(process.env.MUSTER_PROPERTY_SEED) : FIXED_SEED;
const times = Number(process.env.MUSTER_PROPERTY_TIMES ?? PART);

export * from '../../node_modules/fast-check/lib/fast-check.js';

/** How many inputs a property tries that names this number. */
export const runsOf = (named = FAST_CHECK_RUNS, factor = times) =>
  Math.max(Math.min(named, FEWEST_RUNS), Math.ceil(named * factor));

export default {
  ...real,
  assert: (property, parameters = {}) =>
    real.assert(property, { seed, ...parameters, numRuns: runsOf(parameters.numRuns) }),
};
