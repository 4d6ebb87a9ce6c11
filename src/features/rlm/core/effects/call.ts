import { ownValue } from '@contract/own';
import { Cancel } from '@main/core/ports/cancel';
import type { Completion } from '@main/core/ports/completions';
import { agentRef } from '@main/core/step/agent/agent';
import type { RlmEvent } from '../../contract/events';
import { subModelOf } from '../config';
import { callsOf } from '../sub-calls';
import { liveRepl } from './live-repl';
import { isGivenUp, keep, NO_TEXT, stateOf, type Work } from './parts';

type Started = Extract<RlmEvent, { type: 'rlm.call-started' }>;

/** Sends one prompt to the sub-model, and commits its answer. */
export async function sendCall(work: Work, event: Started): Promise<void> {
  const live = liveRepl(work.parts.sandboxes, work.run, work.activationId);
  const cancel = new Cancel();
  const done = answerCall(work, event, cancel);
  const key = `${event.turnId}.${event.block}.${event.batch}.${event.index}`;
  live.calls.set(key, { cancel, done: done.catch(() => undefined) });
  if (live.callsEnded || live.over.cancelled || isGivenUp(work.run)) cancel.cancel();
  await done.finally(() => live.calls.delete(key));
}

async function answerCall(work: Work, event: Started, cancel: Cancel): Promise<void> {
  const { parts, run } = work;
  const began = parts.clock.now();
  const { ok, text, model, usage } = await complete(work, event, cancel);
  const durationMs = Math.max(0, Math.round(parts.clock.now() - began));
  const answer = (await keep(work, text, cancel)) ?? NO_TEXT;
  const { type: _, ...place } = event;
  await parts.engine.report(run, [
    { type: 'rlm.call-answered', ...place, ok, answer, model, usage, durationMs },
  ]);
}

async function complete(work: Work, event: Started, cancel: Cancel): Promise<Completion> {
  const { parts, run, config } = work;
  const failed = (text: string): Completion => ({ ok: false, text, model: '', usage: null });
  const block = stateOf(work).blocks.findLast(
    (one) => one.turnId === event.turnId && one.block === event.block,
  );
  const placed = callsOf(block ?? { batches: [] }).find(
    ({ batch, index }) => batch === event.batch && index === event.index,
  );
  if (placed === undefined) return failed('The sub-call is no longer needed.');
  const { profileId, model } = agentRef(subModelOf(config));
  const profile = ownValue(run.state.profiles, profileId ?? run.plan.defaultProfile ?? '');
  if (profile === undefined) return failed('There is no agent profile for sub-calls.');
  const prompt = await parts.texts.read(run.state.artifactsDir, placed.call.prompt.path);
  if (!prompt.ok) return failed(prompt.error.message);
  return parts.completions.complete({ profile, model, prompt: prompt.value, cancel });
}
