import { ok, type Result } from '@contract/result';
import { actOn } from '@main/cli/act';
import type { Context } from '@main/cli/command';
import type { ExitCode } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import type { FoundTeam } from '../address';
import { teamAt } from './place';

interface Wish {
  readonly address: string;
  readonly flags: { readonly wait: boolean; readonly detach: boolean };
  /** Done once, also where it is asked again because its core was lost. */
  readonly work: (link: Link, found: FoundTeam) => Promise<Result<{ readonly text: string }>>;
}

/** Does something in a team. Where no other Muster works on its run, this one continues with it until it rests. */
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
