import { loopProcedures } from './loop/contract/procedures';
import { rlmProcedures } from './rlm/contract/procedures';
import { teamProcedures } from './team/contract/procedures';

/** What the core answers for features. Apart from `contract.ts`: procedures know the state that is made of its parts. */
export const featureProcedures = { ...teamProcedures, ...loopProcedures, ...rlmProcedures } as const;
