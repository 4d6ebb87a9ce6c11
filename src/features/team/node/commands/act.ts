import { ok, type Result } from '@contract/result';
import type { Context } from '@main/cli/command';
import type { ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { actOn } from '@main/cli/running/act';
import type { FoundTeam } from '../address';
import { teamAt } from './place';

interface Wish {
  readonly address: string;
  readonly flags: { readonly wait: boolean; readonly detach: boolean };
  /** Executed once, even if repeated because its core was lost. */
  readonly work: (link: Link, found: FoundTeam) => Promise<Result<{ readonly text: string }>>;
}

/**
 * Performs an action in a team. If no other Muster works on its run, this one continues it until it is idle.
 */
export const act = (context: Context, { address, flags, work }: Wish): Promise<Result<ExitCode>> =>
  actOn<FoundTeam>(context, {
    flags,
    work,
    find: async (link) => {
      const found = await teamAt(link, address);
      if (!found.ok) return found;
      return ok({ ...found.value, runId: found.value.place.runId, afterSeq: found.value.state.seq });
    },
  });
