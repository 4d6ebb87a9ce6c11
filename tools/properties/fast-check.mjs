/**
 * fast-check as the tests meet it. A test run takes the same inputs each time, so that what fails is what someone
 * changed; `npm run soak` takes new ones, and more of them.
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
