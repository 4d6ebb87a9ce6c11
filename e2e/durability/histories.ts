import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent, StoredEvent } from '@contract/run/events';

interface Span {
  readonly from: number;
  to: number;
}

/** The clock of the shell and that of the core are read one after the other. */
const SLACK_MS = 2;

/**
 * Whether anything that had finished was done once more: by what the history says, and by what commands and agents
 * wrote down themselves when they were at work.
 */
export function doneAgain(history: readonly StoredEvent[]): string[] {
  const events = history.map(({ event }) => event);
  return [...begunAfterTheEnd(events), ...ranOutside(history), ...promptedTooOften(events)];
}

function begunAfterTheEnd(events: readonly RunEvent[]): string[] {
  const finished = new Set<number>();
  const answered = new Set<string>();
  const places = new Map<number, string>();
  return events.flatMap((event): string[] => {
    switch (event.type) {
      case 'activation.finished':
        finished.add(event.activationId);
        return [];
      case 'run.resumed':
        for (const id of event.activationIds) finished.delete(id);
        return [];
      case 'command.started':
        return finished.has(event.activationId) ? [`command ${event.commandId} after its step's end`] : [];
      case 'turn.dispatched': {
        // The operator may say more in a session whose step has ended.
        if (event.kind === 'operator') return [];
        const place = `${event.activationId}/${event.lane ?? ''}/${event.ordinal}`;
        places.set(event.turnId, place);
        return finished.has(event.activationId) || answered.has(place)
          ? [`turn ${event.turnId} once more`]
          : [];
      }
      case 'turn.finished':
        if (event.outcome === 'completed') answered.add(places.get(event.turnId) ?? 'of the operator');
        return [];
      default:
        return [];
    }
  });
}

/** Each command wrote its step and the time: that must be within an activation of the step. */
function ranOutside(history: readonly StoredEvent[]): string[] {
  const spans = new Map<string, Span[]>();
  const byId = new Map<number, Span>();
  let log = '';
  for (const { at, event } of history) {
    if (event.type === 'run.workspace-ready') log = join(event.path, 'ran.log');
    if (event.type === 'activation.started') {
      const span = { from: at, to: Number.POSITIVE_INFINITY };
      byId.set(event.activationId, span);
      spans.set(event.stepId, [...(spans.get(event.stepId) ?? []), span]);
    }
    if (event.type === 'run.resumed')
      for (const id of event.activationIds) {
        const span = byId.get(id);
        if (span !== undefined) span.to = Number.POSITIVE_INFINITY;
      }
    const ended = event.type === 'activation.finished' ? byId.get(event.activationId) : undefined;
    if (ended !== undefined) ended.to = at;
  }
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => {
      const [step = '', time = ''] = line.split(' ');
      const within = ({ from, to }: Span) => Number(time) >= from - SLACK_MS && Number(time) <= to + SLACK_MS;
      return spans.get(step)?.some(within) !== true;
    })
    .map((line) => `ran outside of its step: ${line}`);
}

/** Each agent wrote down every prompt that it received: none may have come more often than it was sent. */
function promptedTooOften(events: readonly RunEvent[]): string[] {
  const sent = new Map<string, number>();
  let artifacts = '';
  for (const event of events) {
    if (event.type === 'run.started') artifacts = event.artifactsDir;
    if (event.type === 'turn.dispatched') sent.set(event.prompt, (sent.get(event.prompt) ?? 0) + 1);
  }
  const record = join(artifacts, 'scripted-prompts.jsonl');
  if (!existsSync(record)) return [];
  for (const line of readFileSync(record, 'utf8').trimEnd().split('\n')) {
    const { prompt } = JSON.parse(line) as { prompt: string };
    sent.set(prompt, (sent.get(prompt) ?? 0) - 1);
  }
  return [...sent].flatMap(([prompt, left]) =>
    left < 0 ? [`received more often than sent: ${prompt}`] : [],
  );
}

/**
 * A gate goes unanswered only together with the step that asked or with the run, or where it was answered by other
 * means: in the same commit. A question of a team goes also when what it asked about has changed since.
 */
export function goneUnanswered(history: readonly StoredEvent[]): string[] {
  const asked = new Map<number, { event: Extract<RunEvent, { type: 'gate.opened' }>; seq: number }>();
  return history.flatMap(({ at, seq, event }) => {
    if (event.type === 'gate.opened') asked.set(event.gateId, { event, seq });
    if (event.type !== 'gate.withdrawn') return [];
    const gate = asked.get(event.gateId);
    const activationId = gate?.event.activationId;
    const ended = history.some(
      (other) =>
        other.at === at &&
        (other.event.type === 'run.finished' ||
          other.event.type === 'team.merge-confirmed' ||
          other.event.type === 'team.merge-requested' ||
          (other.event.type === 'activation.finished' && other.event.activationId === activationId)),
    );
    const wentOn =
      gate?.event.kind === 'team_stalled' &&
      history.some(
        (other) =>
          other.seq > gate.seq &&
          other.seq <= seq &&
          GOES_ON.test(other.event.type) &&
          'activationId' in other.event &&
          other.event.activationId === activationId,
      );
    return ended || wentOn ? [] : [`gate ${event.gateId} was withdrawn: ${event.reason}`];
  });
}

/** After one of these a team is not at rest any more, and a member not silent. */
const GOES_ON =
  /^(turn\.dispatched|team\.(message|delivered|result|member-added|merge-requested|released|stopping))$/;
