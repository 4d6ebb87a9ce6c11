/**
 * Configures fast-check for the tests. A test run always uses the same inputs, so that a failure is caused by
 * a change; `npm run soak` uses new and more inputs.
 */
import real from '../../node_modules/fast-check/lib/fast-check.js';

const fixed = 20261122;
const seed = process.env.MUSTER_PROPERTY_SEED ? Number(process.env.MUSTER_PROPERTY_SEED) : fixed;
const times = Number(process.env.MUSTER_PROPERTY_TIMES ?? 1);

export * from '../../node_modules/fast-check/lib/fast-check.js';

export default {
  ...real,
  assert: (property, parameters = {}) =>
    real.assert(property, { seed, ...parameters, numRuns: (parameters.numRuns ?? 100) * times }),
};
