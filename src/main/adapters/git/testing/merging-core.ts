import type { MergeToMake } from '../../../core/ports/workspaces/merges';
import { GitMerges } from '../merge/merge';
import { CheckoutMoves } from '../moves';

/** `merging-core JOURNAL MERGE`: makes a merge like a core, in a process that can be killed. */
const [dir = '', wanted = ''] = process.argv.slice(2);
const made = await new GitMerges(new CheckoutMoves({ dir })).merge(JSON.parse(wanted) as MergeToMake);
console.log(JSON.stringify(made));
