import { ownValue } from '@contract/own';
import type { LiveRun } from '@main/core/engine/base/live-run';
import { Cancel } from '@main/core/ports/cancel';
import { agentRef } from '@main/core/step/agent/agent';
import type { RlmEvent, Verification } from '../../contract/events';
import { VERIFICATION_MS } from '../../contract/limits';
import { rlmText } from '../texts';
import { untrustedNotice, wrapContent } from '../untrusted';
import { readClaims } from '../verification';
import { liveRepl } from './live-repl';
import { isGivenUp, keep, type Parts, stateOf, type Work, workOf } from './parts';

type Requested = Extract<RlmEvent, { type: 'rlm.verification-requested' }>;

/** Maximum characters of documents and answer together: few models could read more. */
const MOST_CHARS = 500_000;

const NOTHING = { claims: [], reply: null, model: '', usage: null, durationMs: 0 } as const;

/** The result of a verification that did not take place; `trouble` ends a sentence. */
export const brokenVerification = (
  { activationId, layer }: Pick<Requested, 'activationId' | 'layer'>,
  trouble: string,
): RlmEvent => ({
  type: 'rlm.verification-finished',
  activationId,
  trouble,
  ...NOTHING,
  claims: [],
  ...(layer === undefined ? {} : { layer }),
});

/** Lets a second model try to refute the answer. If this fails, the answer is given out anyway. */
export async function verifyAnswer(parts: Parts, run: LiveRun, event: Requested): Promise<void> {
  const { activationId } = event;
  const work = workOf(parts, run, activationId);
  const live = liveRepl(parts.sandboxes, run, activationId);
  const cancel = new Cancel();
  const done = verified(work, event, cancel);
  live.calls.set('verification', { cancel, done: done.then(() => undefined).catch(() => undefined) });
  if (live.over.cancelled || isGivenUp(run)) cancel.cancel();
  const verification = await done.finally(() => live.calls.delete('verification'));
  const layer = event.layer === undefined ? {} : { layer: event.layer };
  await parts.engine.report(run, [
    { type: 'rlm.verification-finished', activationId, ...verification, ...layer },
  ]);
}

async function verified(work: Work, event: Requested, cancel: Cancel): Promise<Verification> {
  const { parts, run, config } = work;
  const failed = (trouble: string): Verification => ({ ...NOTHING, claims: [], trouble });
  const { profileId, model } = agentRef(config.verify_model ?? config);
  const profile = ownValue(run.state.profiles, profileId ?? run.plan.defaultProfile ?? '');
  if (profile === undefined) return failed('there is no agent profile for it');
  if (event.documents.length === 0)
    return failed('the answer cites no document that it could be checked against');
  const text = event.layer === 'code' ? 'rlm/verify_code' : 'rlm/verify_adversarial';
  if (!ownValue(run.state.prompted, text)) return failed(`the text ${text} is missing`);
  const prompt = await promptOf(work, event);
  if (prompt === null)
    return failed(
      `the documents that it cites have more than ${MOST_CHARS.toLocaleString('en-US')} characters`,
    );
  const began = parts.clock.now();
  const late = { is: false };
  const stop = parts.clock.at(began + VERIFICATION_MS, () => {
    late.is = true;
    cancel.cancel();
  });
  const { ok, text: said, ...used } = await parts.completions.complete({ profile, model, prompt, cancel });
  stop();
  const facts = { ...used, durationMs: Math.max(0, Math.round(parts.clock.now() - began)), claims: [] };
  if (late.is) return { ...facts, trouble: 'the model did not answer within 5 minutes', reply: null };
  if (!ok) return { ...facts, trouble: withoutStop(said), reply: null };
  const reply = await keep(work, said, cancel);
  const claims = readClaims(said);
  return claims.ok
    ? { ...facts, claims: claims.value, trouble: null, reply }
    : { ...facts, trouble: claims.error.message, reply };
}

const withoutStop = (text: string): string => text.trim().replace(/\.$/, '');

/** Null if it is too long. */
async function promptOf({ parts, run, activationId }: Work, event: Requested): Promise<string | null> {
  const { documents, marker, verification } = stateOf({ run, activationId });
  const wanted = event.documents.flatMap((at) => {
    const found = documents?.[at];
    return found === undefined ? [] : [{ at, ...found }];
  });
  if (wanted.reduce((sum, { chars }) => sum + chars, event.answer.length) > MOST_CHARS) return null;
  const wrapped: string[] = [];
  for (const { at, name, path } of wanted) {
    const text = await parts.texts.read(run.state.artifactsDir, path);
    if (!text.ok) throw new Error(text.error.message);
    wrapped.push(wrapContent(`Document ${at}, ${name}:\n${text.value}`, marker ?? ''));
  }
  const promptText = (id: string) => ownValue(run.state.prompted, id) ?? null;
  const values = { findings: wrapContent(event.answer, marker ?? ''), documents: wrapped.join('\n\n') };
  const claims = JSON.stringify({ claims: verification?.claims ?? [] }, null, 2);
  const filled =
    event.layer === 'code'
      ? rlmText({ promptText }, 'rlm/verify_code', {
          ...values,
          previous_results: wrapContent(claims, marker ?? ''),
        })
      : rlmText({ promptText }, 'rlm/verify_adversarial', values);
  return `${untrustedNotice(marker ?? '')}\n\n${filled}`;
}
