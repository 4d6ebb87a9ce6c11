import { ok, type Result } from '@contract/result';
import type { FoundTeam } from '../../../api/team-address';
import type { Context } from '../../command';
import { EXIT, type ExitCode } from '../../exit';
import type { Link } from '../../link/link';
import { waitForRun } from '../../wait';
import { withCore } from '../../with-core';
import { teamAt } from './place';

interface Wish {
  readonly address: string;
  readonly flags: { readonly wait: boolean; readonly detach: boolean };
  /** Done once, also where it is asked again because its core was lost. */
  readonly work: (link: Link, found: FoundTeam) => Promise<Result<{ readonly text: string }>>;
}

/** Does something in a team. Where no other Muster works on its run, this one goes on with it until it rests. */
export async function act(context: Context, { address, flags, work }: Wish): Promise<Result<ExitCode>> {
  const mode = flags.detach ? 'background' : 'working';
  const done = await withCore(context, { mode }, async (link) => {
    const found = await teamAt(link, address);
    if (!found.ok) return found;
    const { runId } = found.value.place;
    await link.takeUp([runId]);
    const said = await work(link, found.value);
    return said.ok ? ok({ ...said.value, runId, afterSeq: found.value.state.seq }) : said;
  });
  if (!done.ok) return done;
  const { link, value } = done.value;
  const { runId, afterSeq, ...told } = value;
  if (link.kind === 'attached' && !flags.wait) {
    context.out.document({ runId, ...told }, () => [told.text]);
    return ok(EXIT.ok);
  }
  context.out.record({ kind: 'done', runId, ...told }, () => [told.text]);
  return waitForRun(context, { link, runId, throughGates: flags.wait, afterSeq });
}
