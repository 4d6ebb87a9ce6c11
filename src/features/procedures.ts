import { teamProcedures } from '@contract/team/procedures';
import { loopProcedures } from './loop/contract/procedures';

/** What the core answers for features. Apart from `contract.ts`: procedures know the state that is made of its parts. */
export const featureProcedures = { ...teamProcedures, ...loopProcedures } as const;
