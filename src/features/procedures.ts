import { loopProcedures } from './loop/contract/procedures';
import { rlmProcedures } from './rlm/contract/procedures';
import { teamProcedures } from './team/contract/procedures';

/**
 * Procedures of features. Separate from `contract.ts`: procedures depend on the state, which is built from
 * the features' parts.
 */
export const featureProcedures = { ...teamProcedures, ...loopProcedures, ...rlmProcedures } as const;
