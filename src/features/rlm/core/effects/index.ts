import { type AppError, appError } from '@contract/errors';
import { err } from '@contract/result';
import type { LiveRun } from '@main/core/engine/base/live-run';
import type { ExecEnd } from '@main/core/ports/programs/sandbox';
import type { CheckedCitations, RlmEvent } from '../../contract/events';
import { deathsInARow, isDeath, MOST_DEAD } from '../dead-sandbox';
import { BlockCalls } from './ask';
import { sendCall } from './call';
import { endCalls, knownRepl, liveRepl, takeLiveRepl, untilOver } from './live-repl';
import { cancelled, isGivenUp, NO_TEXT, type Parts, stateOf, type Work, workOf } from './parts';
import { newSandbox, readySandbox } from './ready';
import { brokenVerification } from './verify';

type Of<T extends RlmEvent['type']> = Extract<RlmEvent, { type: T }>;

export async function freezeDocuments(
  parts: Parts,
  run: LiveRun,
  { activationId, paths, inline }: Of<'rlm.documents-requested'>,
): Promise<void> {
  const { projectPath, artifactsDir, sourceFile } = run.state;
  // A project's workflow may name only files of the project; the operator may name any.
  const anywhere = sourceFile === null;
  const live = liveRepl(parts.sandboxes, run, activationId);
  if (isGivenUp(run)) live.over.cancel();
  const request = { projectPath, artifactsDir, anywhere, paths, inline, cancel: live.over };
  const frozen = (await untilOver(live, parts.texts.freeze(request))) ?? err(cancelled());
  if (!frozen.ok) takeLiveRepl(parts.sandboxes, run, activationId);
  const result: RlmEvent = frozen.ok
    ? {
        type: 'rlm.documents-frozen',
        activationId,
        documents: [...frozen.value.documents],
        leftOut: [...frozen.value.leftOut],
        marker: parts.texts.marker(),
        fixed: { seed: parts.texts.marker(), now: Math.round(parts.clock.now()) },
      }
    : { type: 'rlm.documents-refused', activationId, error: frozen.error };
  await parts.engine.report(run, [result]);
}

/** Starts the first sandbox; `readySandbox` reports it. */
export async function startSandbox(
  parts: Parts,
  run: LiveRun,
  { activationId }: Of<'rlm.sandbox-requested'>,
): Promise<void> {
  const work = workOf(parts, run, activationId);
  const error = await sandboxError(work, null);
  if (error !== null) await parts.engine.report(run, [{ type: 'rlm.sandbox-refused', activationId, error }]);
}

/** Null if a sandbox is ready. */
async function sandboxError(work: Work, turnId: number | null): Promise<AppError | null> {
  if (isGivenUp(work.run)) return cancelled();
  const ready = await readySandbox(work, turnId);
  return ready.ok ? null : ready.error;
}

/** A variable is read again from a new sandbox where the first one died. */
const MOST_READS = 2;

/** Runs a block, again after an interruption, and commits its result. */
export async function runBlock(parts: Parts, run: LiveRun, event: Of<'rlm.block-started'>): Promise<void> {
  const { activationId, turnId, block, code } = event;
  const work = workOf(parts, run, activationId);
  const live = liveRepl(parts.sandboxes, run, activationId);
  live.callsEnded = false;
  live.stopAsked = false;
  const place = { activationId, turnId, block };
  // Electron can crash without the block's fault. After a second crash the block counts as lost.
  for (const lastTry of [false, true]) {
    const error = await sandboxError(work, turnId);
    const { sandbox } = live;
    if (error !== null || sandbox === null) {
      await endCalls(live);
      return parts.engine.report(run, [
        { type: 'rlm.sandbox-refused', activationId, error: error ?? cancelled() },
      ]);
    }
    const calls = new BlockCalls(work, event, live);
    const ending = sandbox.exec(code, {
      seconds: work.config.limits.block_seconds,
      ask: (prompts, cancel) => calls.ask(prompts, cancel),
    });
    // It came while the variables were built again.
    if (live.stopAsked) sandbox.interrupt();
    const end = await ending;
    await calls.settled();
    if (end.kind === 'lost' && end.reason === 'host' && !lastTry && !live.stopAsked) continue;
    await endCalls(live);
    if (end.kind === 'lost') return parts.engine.report(run, await lostBlock(work, place, end));
    const { result, timedOut } = end;
    return parts.engine.report(run, [{ type: 'rlm.block-finished', ...place, result, timedOut }]);
  }
}

type Place = Pick<Of<'rlm.block-lost'>, 'activationId' | 'turnId' | 'block'>;

/**
 * Replaces the sandbox that ended with a block before the model is told, so that it is told what is there. After a
 * second death in a row the variables are given up, as they may be the cause.
 */
async function lostBlock(
  work: Work,
  place: Place,
  { reason, detail }: Extract<ExecEnd, { kind: 'lost' }>,
): Promise<RlmEvent[]> {
  const deaths = isDeath(reason) ? deathsInARow(stateOf(work)) + 1 : 0;
  const lost: RlmEvent = {
    type: 'rlm.block-lost',
    ...place,
    why: reason,
    ...(detail === undefined ? {} : { detail }),
  };
  const live = liveRepl(work.parts.sandboxes, work.run, work.activationId);
  if (live.over.cancelled || isGivenUp(work.run) || deaths >= MOST_DEAD) return [lost];
  const replaced = await newSandbox(work, { turnId: place.turnId, rebuild: deaths < 2 });
  if (replaced.ok) return [lost];
  return [lost, { type: 'rlm.sandbox-refused', activationId: place.activationId, error: replaced.error }];
}

export const startCall = (parts: Parts, run: LiveRun, event: Of<'rlm.call-started'>): Promise<void> =>
  sendCall(workOf(parts, run, event.activationId), event);

/** Wakes the block that waits for the answer. */
export async function tellAnswered(
  parts: Parts,
  run: LiveRun,
  event: Of<'rlm.call-answered' | 'rlm.calls-asked'>,
): Promise<void> {
  for (const look of knownRepl(parts.sandboxes, run, event.activationId)?.answered ?? []) look();
}

const unreadVariable = (name: string): AppError =>
  appError('unavailable', `The sandbox died ${MOST_READS} times while the variable ${name} was read.`, {
    mend: 'Resume the run to try again.',
  });

export async function readVariable(
  parts: Parts,
  run: LiveRun,
  { activationId, turnId, name }: Of<'rlm.variable-requested'>,
): Promise<void> {
  const work = workOf(parts, run, activationId);
  const live = liveRepl(parts.sandboxes, run, activationId);
  let [text, error]: [string | null, AppError | null] = [null, null];
  // A sandbox that died says nothing about its variables.
  for (let left = MOST_READS; left > 0; left -= 1) {
    error = await sandboxError(work, turnId);
    text = error === null ? ((await live.sandbox?.read(name)) ?? null) : null;
    if (error !== null || text !== null || live.sandbox?.alive === true) break;
    error = live.over.cancelled ? cancelled() : unreadVariable(name);
  }
  await parts.engine.report(run, [
    ...(error === null ? [] : [{ type: 'rlm.sandbox-refused', activationId, error } as const]),
    { type: 'rlm.variable-read', activationId, turnId, name, text },
  ]);
}

/** Looks up an answer's citations in the documents. */
export async function checkCitations(
  parts: Parts,
  run: LiveRun,
  event: Of<'rlm.citations-requested'>,
): Promise<void> {
  const { activationId } = event;
  const live = liveRepl(parts.sandboxes, run, activationId);
  if (isGivenUp(run)) live.over.cancel();
  const checked = await untilOver(live, lookedUp(parts, run, event));
  await parts.engine.report(run, [
    {
      type: 'rlm.citations-checked',
      activationId,
      ...(checked ?? { documents: [], quotes: [], trouble: cancelled().message }),
    },
  ]);
}

/** Cited documents first, then the others. */
async function lookedUp(
  parts: Parts,
  run: LiveRun,
  { activationId, documents, quotes }: Of<'rlm.citations-requested'>,
): Promise<CheckedCitations> {
  const known = stateOf({ run, activationId }).documents ?? [];
  const cited = documents.filter((index) => index < known.length);
  const order = [...new Set([...cited, ...known.keys()])];
  const found = new Map<string, { document: number; line: number }>();
  const unread: { index: number; why: string }[] = [];
  for (const document of order) {
    const open = quotes.filter((text) => !found.has(text));
    const { path } = known[document] ?? {};
    if (open.length === 0 || path === undefined) continue;
    const lines = await parts.texts.find(run.state.artifactsDir, path, open);
    if (!lines.ok) {
      unread.push({ index: document, why: lines.error.message });
      continue;
    }
    for (const [at, text] of open.entries()) {
      const line = lines.value[at] ?? null;
      if (line !== null) found.set(text, { document, line });
    }
  }
  return {
    trouble: null,
    documents: documents.map((index) => ({ index, found: index < known.length })),
    quotes: quotes.map((text) => ({ text, document: null, line: null, ...found.get(text) })),
    unread,
  };
}

export async function interruptBlock(
  parts: Parts,
  run: LiveRun,
  { activationId }: Of<'rlm.interrupt-requested'>,
): Promise<void> {
  const live = knownRepl(parts.sandboxes, run, activationId);
  if (live === null) return;
  live.stopAsked = true;
  if (!live.repeating) live.sandbox?.interrupt();
}

export async function endSandbox(
  parts: Parts,
  run: LiveRun,
  { activationId }: Of<'rlm.sandbox-ended'>,
): Promise<void> {
  const live = takeLiveRepl(parts.sandboxes, run, activationId);
  if (live === null) return;
  live.over.cancel();
  await Promise.all([endCalls(live), live.sandbox?.stop()]);
}

/** The result for an effect that threw, or whose history was cut short. */
export function brokenRlm(event: RlmEvent, error: AppError): RlmEvent {
  const { activationId } = event;
  switch (event.type) {
    case 'rlm.documents-requested':
      return { type: 'rlm.documents-refused', activationId, error };
    case 'rlm.block-started': {
      const { turnId, block } = event;
      const why = error.code === 'cancelled' ? 'closed' : 'host';
      return { type: 'rlm.block-lost', activationId, turnId, block, why };
    }
    case 'rlm.call-started': {
      const { type: _, ...place } = event;
      const nothing = { ok: false, answer: NO_TEXT, model: '', usage: null, durationMs: 0 };
      return { type: 'rlm.call-answered', ...place, ...nothing };
    }
    case 'rlm.variable-requested': {
      const { turnId, name } = event;
      return { type: 'rlm.variable-read', activationId, turnId, name, text: null };
    }
    case 'rlm.citations-requested':
      return {
        type: 'rlm.citations-checked',
        activationId,
        documents: [],
        quotes: [],
        trouble: error.message,
      };
    case 'rlm.verification-requested':
      return brokenVerification(event, error.message);
    default:
      return { type: 'rlm.sandbox-refused', activationId, error };
  }
}
