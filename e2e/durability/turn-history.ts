import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent, RunEventOf, StoredEvent } from '@contract/run/events';
import { CONTINUE_PROMPT } from '../../src/main/core/engine/turns/replay-context';

/** What a prompt says itself, behind what it tells a conversation that was begun again. */
const wordsOf = ({ prompt, carried = 0 }: RunEventOf<'turn.dispatched'>): string => prompt.slice(carried);

const says = (event: RunEventOf<'turn.dispatched'>, words: string): boolean =>
  event.carried === undefined ? event.prompt === words : wordsOf(event).includes(words);

/** The end of what a turn says itself, which is where two of one chain differ. */
const shown = (turn: RunEventOf<'turn.dispatched'> | undefined): string =>
  turn === undefined ? 'none' : `${turn.kind} ${JSON.stringify(wordsOf(turn).slice(-200))}`;

/** A turn and those that it stands in for: a resumed run says the step's own words again, after one that continued. */
function chainOf(
  sent: ReadonlyMap<number, RunEventOf<'turn.dispatched'>>,
  last: RunEventOf<'turn.dispatched'> | undefined,
): RunEventOf<'turn.dispatched'>[] {
  const chain: RunEventOf<'turn.dispatched'>[] = [];
  for (let one = last; one !== undefined; one = sent.get(one.resendOf ?? 0)) chain.push(one);
  return chain;
}

/** Turns that were sent once more though their end was there, and resent ones that are not what they are in for. */
export function wronglySent(events: readonly RunEvent[]): string[] {
  const sent = new Map<number, RunEventOf<'turn.dispatched'>>();
  const ended = new Map<number, string>();
  return events.flatMap((event): string[] => {
    if (event.type === 'turn.finished' || event.type === 'turn.interrupted') {
      const how = event.type === 'turn.finished' ? event.outcome : 'interrupted';
      const before = ended.get(event.turnId);
      ended.set(event.turnId, how);
      return before === undefined ? [] : [`turn ${event.turnId} ended twice: ${before}, ${how}`];
    }
    if (event.type !== 'turn.dispatched') return [];
    sent.set(event.turnId, event);
    if (event.resendOf === null) return [];
    const first = sent.get(event.resendOf);
    const how = ended.get(event.resendOf);
    const same =
      chainOf(sent, first).some((one) => says(event, wordsOf(one))) ||
      wordsOf(event).startsWith(CONTINUE_PROMPT);
    const where = event.sessionId === first?.sessionId && event.ordinal === first.ordinal;
    const wrong = [
      ...(how === undefined || how === 'completed' ? [`, which is ${how}`] : []),
      ...(same ? [] : [`, with other words: ${shown(event)} instead of ${shown(first)}`]),
      ...(where ? [] : [', in another place']),
    ];
    return wrong.length === 0
      ? []
      : [`turn ${event.turnId} stands in for ${event.resendOf}${wrong.join('')}`];
  });
}

/** Captures that were begun or taken more than once, or that a run that has ended does not have. */
export function wronglyCaptured(events: readonly RunEvent[]): string[] {
  const begun = new Set<string>();
  const open = new Map<number, string>();
  const wrong = events.flatMap((event): string[] => {
    if (event.type === 'capture.started') {
      const name = `${event.activationId}/${event.name}`;
      open.set(event.captureId, name);
      if (begun.has(name)) return [`capture ${name} begun twice`];
      begun.add(name);
    }
    if (event.type === 'capture.finished' || event.type === 'capture.failed') {
      if (!open.delete(event.captureId)) return [`capture ${event.captureId} taken twice`];
      if (event.type === 'capture.failed') return [`capture ${event.captureId}: ${event.error.message}`];
    }
    return [];
  });
  return [...wrong, ...[...open.values()].map((name) => `capture ${name} was never taken`)];
}

/** The operator's own prompts: each is sent once or taken back, those of a session in their order. */
export function wronglyPrompted(events: readonly RunEvent[]): string[] {
  const queued = new Map<number, RunEventOf<'prompt.queued'>>();
  const sent = new Map<number, number>();
  const cutOff = new Set<number>();
  const last = new Map<number, number>();
  const wrong: string[] = [];
  for (const event of events) {
    if (event.type === 'prompt.queued') queued.set(event.promptId, event);
    if (event.type === 'turn.interrupted') cutOff.add(sent.get(event.turnId) ?? 0);
    // One that was cut off and whose session cannot be resumed is not sent again, and the operator is told so.
    const taken = event.type === 'prompt.withdrawn' && !queued.delete(event.promptId);
    if (taken && !cutOff.has(event.promptId))
      wrong.push(`prompt ${event.promptId} withdrawn after it was sent`);
    if (event.type === 'turn.dispatched' && event.promptId !== undefined) {
      sent.set(event.turnId, event.promptId);
      cutOff.delete(event.promptId);
    }
    if (event.type !== 'turn.dispatched' || event.promptId === undefined || event.promptId === null) continue;
    // What is in for one that was cut off is looked at by `wronglySent`.
    if (event.resendOf !== null) continue;
    const { promptId, sessionId } = event;
    const prompt = queued.get(promptId);
    if (!queued.delete(promptId)) wrong.push(`prompt ${promptId} sent twice`);
    if (prompt !== undefined && (!says(event, prompt.text) || prompt.sessionId !== sessionId))
      wrong.push(`prompt ${promptId} is not what was sent`);
    if ((last.get(sessionId) ?? 0) > promptId) wrong.push(`prompt ${promptId} sent out of order`);
    last.set(sessionId, promptId);
  }
  return [...wrong, ...[...queued.keys()].map((id) => `prompt ${id} was never sent`)];
}

/** The operator's own prompts that were cut off in flight: reported as interrupted, and sent again only where someone says so. */
export function promptsCutOff(events: readonly RunEvent[]): number {
  const own = new Set<number>();
  let cutOff = 0;
  for (const event of events) {
    if (event.type === 'turn.dispatched' && event.kind === 'operator') own.add(event.turnId);
    if (event.type === 'turn.interrupted' && own.has(event.turnId)) cutOff += 1;
  }
  return cutOff;
}

/** How often the agents of a run wrote down each prompt that they got. */
function received(events: readonly RunEvent[]): Map<string, number> {
  const started = events.find((event) => event.type === 'run.started');
  const record = join(started?.artifactsDir ?? '', 'scripted-prompts.jsonl');
  const got = new Map<string, number>();
  if (!existsSync(record)) return got;
  for (const line of readFileSync(record, 'utf8').trimEnd().split('\n')) {
    const { prompt } = JSON.parse(line) as { prompt: string };
    got.set(prompt, (got.get(prompt) ?? 0) + 1);
  }
  return got;
}

/** Turns that are said to be done though no agent wrote down that it got their prompt. */
export function neverReceived(events: readonly RunEvent[]): string[] {
  const left = received(events);
  const prompts = new Map<number, string>();
  const unrecorded = withoutRecord(events);
  return events.flatMap((event): string[] => {
    if (event.type === 'turn.dispatched') prompts.set(event.turnId, event.prompt);
    if (event.type !== 'turn.finished' || event.outcome !== 'completed' || unrecorded.has(event.turnId))
      return [];
    const prompt = prompts.get(event.turnId) ?? '';
    left.set(prompt, (left.get(prompt) ?? 0) - 1);
    return (left.get(prompt) ?? 0) < 0 ? [`turn ${event.turnId} is done, but no agent got its prompt`] : [];
  });
}

/** Prompts of turns that were resumed and done, of which the agent was never given the words. */
export function neverTold(events: readonly RunEvent[]): string[] {
  const got = [...received(events).keys()];
  const chains = new Map<number, string>();
  const unrecorded = withoutRecord(events);
  return events.flatMap((event): string[] => {
    if (event.type === 'turn.dispatched')
      chains.set(event.turnId, chains.get(event.resendOf ?? 0) ?? event.prompt);
    if (event.type !== 'turn.finished' || event.outcome !== 'completed' || unrecorded.has(event.turnId))
      return [];
    const words = chains.get(event.turnId) ?? '';
    return got.some((prompt) => prompt.includes(words))
      ? []
      : [`turn ${event.turnId} is done, but no agent was given the words of its first prompt`];
  });
}

/** Turns of agents that keep no record of their prompts, as the scripted agent does. */
function withoutRecord(events: readonly RunEvent[]): ReadonlySet<number> {
  const sessions = new Set(
    events.flatMap((event) =>
      event.type === 'session.starting' && ['typist', 'tardy'].includes(event.profileId)
        ? [event.sessionId]
        : [],
    ),
  );
  return new Set(
    events.flatMap((event) =>
      event.type === 'turn.dispatched' && sessions.has(event.sessionId) ? [event.turnId] : [],
    ),
  );
}

export const eventsOf = (history: readonly StoredEvent[]): RunEvent[] => history.map(({ event }) => event);
