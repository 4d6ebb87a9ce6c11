import { ok, type Result } from '@contract/result';
import { ulids } from '@main/adapters/system/ids';
import { ask } from '@main/api/core-service';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { waitForRun } from '@main/cli/running/wait';
import { withCore } from '@main/cli/running/with-core';
import type { TeamCall } from './flags';
import { followChat } from './follow-chat';
import { teamAt } from './place';

/**
 * Sends a message to a member, the lead or all. Words that may mean a release are confirmed, never guessed.
 */
export async function say(context: Context, { words, flags }: TeamCall): Promise<Result<ExitCode>> {
  const [, address = '', given = ''] = words;
  const text = given === '-' ? await context.readInput() : given;
  const key = ulids.ulid();
  const meant = flags.message
    ? { meant: 'message' as const }
    : flags.release.length > 0
      ? { meant: 'release' as const, release: [...flags.release] }
      : {};
  const mode = flags.detach ? 'background' : 'working';
  const done = await withCore(context, { mode }, async (link) => {
    const found = await teamAt(link, address);
    if (!found.ok) return found;
    const { place, state } = found.value;
    await link.takeUp([place.runId]);
    const sent = await ask(link, 'team.say', { ...place, key, to: flags.to ?? null, text, ...meant });
    return sent.ok ? ok({ ...sent.value, place, afterSeq: state.seq }) : sent;
  });
  if (!done.ok) return done;
  const { link, value } = done.value;
  const { asks, text: reply, place, afterSeq } = value;
  const { runId } = place;
  if (asks.length > 0) {
    const names = asks.map(({ member }) => member);
    const release = names.map((name) => `--release ${name}`).join(' ');
    context.out.document({ runId, asks, text: '' }, () => [
      `Nothing was sent. These words may release ${names.join(' and ')}: say of each whether they do.`,
      `  ${release}   releases ${names.length === 1 ? 'it' : 'these; leave out who is not meant'}`,
      '  --message   only sends the words',
    ]);
    return ok(EXIT.waiting);
  }
  const attached = link.kind === 'attached';
  if (attached && !flags.wait && !flags.follow) {
    context.out.document({ runId, asks, text: reply }, () => [reply]);
    return ok(EXIT.ok);
  }
  context.out.record({ kind: 'done', runId, text: reply }, () => [reply]);
  if (flags.follow) return followChat(context, { link, place, thread: null, afterSeq });
  return waitForRun(context, { link, runId, throughGates: flags.wait, afterSeq });
}
