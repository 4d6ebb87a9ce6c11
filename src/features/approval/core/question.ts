import { bundlePieces } from '@areas/evidence/contract/bundle-pieces';
import { responsePieces } from '@areas/evidence/contract/response-pieces';
import { formatUpdate, type Update } from '@areas/feed/contract/update';
import type { GateOption } from '@areas/gates/contract/gate';
import { ownValue } from '@contract/own';
import { MINUTE_MS } from '@contract/time-units';
import type { GateDecision, StepDecision, TellDecision } from '@main/core/step/decision';
import type { View } from './config';

/** How many more rejects may send the work back: to the agent of `on_reject`, or over `revise_out`. */
export function attemptsLeft({ config, turns, connected, revisions }: View): number {
  const { on_reject } = config;
  if (on_reject !== undefined) return on_reject.max_attempts - turns.length;
  return connected.has('revise_out') ? config.max_attempts - revisions : 0;
}

/** The agent's last answer, where the author chose it in place of what came in; null: what came in holds. */
export const reworkedOutput = ({ config, turns }: View): string | null =>
  config.on_reject?.output === 'answer' ? (turns.at(-1)?.response ?? null) : null;

function options(view: View): GateOption[] {
  const { capture_response, max_attempts, on_reject, decisions } = view.config;
  if (decisions !== undefined) {
    return decisions.map(({ id, label }) => ({
      id,
      label,
      tone: id === 'approve' ? 'approve' : id === 'reject' ? 'reject' : 'neutral',
      effect: `The run goes on with the decision "${label}".`,
    }));
  }
  const remaining = attemptsLeft(view);
  const most = on_reject?.max_attempts ?? max_attempts;
  const worker = on_reject === undefined ? 'The step before' : view.agentName(on_reject.acp_profile_id);
  return [
    {
      id: 'approve',
      ...(capture_response
        ? {
            label: 'Send answer',
            effect: 'Your answer becomes the output of this step.',
            needs: 'text' as const,
          }
        : { label: 'Approve', effect: 'The run goes on with what is shown here.' }),
      tone: 'approve',
    },
    {
      id: 'reject',
      label: 'Reject',
      needs: 'reason',
      effect:
        remaining > 0
          ? `${worker} works on it again with your reason (${remaining} of ${most} left).`
          : 'The run ends as rejected.',
      tone: 'reject',
    },
  ];
}

/**
 * Asks for the first time, or after a rework with what its agent said and changed. A question with time limits has
 * a key, with timers of its own.
 */
export function ask(view: View): GateDecision {
  const { message } = view.config;
  const given = reworkedOutput(view) === null ? (view.inputs.data_in ?? []) : [];
  const shown = [...given, ...(view.inputs.context_in ?? [])];
  const rework = view.turns.at(-1);
  const reworked = rework?.response ?? '';
  const expiry = expiryWords(view);
  return {
    kind: 'gate',
    gate: 'approval',
    title: view.title,
    message: expiry === null ? message : `${message}\n\n${expiry}`,
    evidence: [
      ...(reworked === '' ? [] : responsePieces(reworked, `Rework ${view.turns.length}`)),
      ...shown.flatMap((bundle) => bundlePieces(bundle, (key) => view.stepTitle(key))),
    ],
    ...(rework !== undefined &&
      (rework.changes?.files ?? 0) > 0 && { changes: { kind: 'turn', turnId: rework.turnId, asLeft: true } }),
    options: options(view),
    ...(isTimed(view) ? { about: ['approval.ask', view.turns.length] } : {}),
  };
}

export const isTimed = ({ config }: View): boolean =>
  config.reminder_minutes !== undefined || config.expires !== undefined;

function expiryWords({ config }: View): string | null {
  const { expires, decisions } = config;
  if (expires === undefined) return null;
  const named = decisions?.find(({ id }) => id === expires.outcome)?.label;
  const words: Record<string, string> = { approve: 'approved', reject: 'rejected', fail: 'failed' };
  const outcome = named === undefined ? (ownValue(words, expires.outcome) ?? expires.outcome) : `"${named}"`;
  return `Without an answer within ${span(expires.minutes)} it counts as ${outcome}.`;
}

function span(minutes: number): string {
  const [count, unit] =
    minutes >= 2880 ? [minutes / 1440, 'day'] : minutes >= 120 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  const rounded = Math.round(count * 10) / 10;
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}

/** For an open question: its timers, and the reminder when it is due. */
export function watch(view: View, openedAt: number): StepDecision[] {
  const { reminder_minutes: reminder, expires } = view.config;
  const number = view.turns.length;
  const timer = (purpose: 'approval.reminder' | 'approval.expiry', minutes: number): StepDecision[] =>
    view.timer([purpose, number]) === null
      ? [{ kind: 'timer', purpose: [purpose, number], dueAt: openedAt + minutes * MINUTE_MS, watches: null }]
      : [];
  const due = reminder !== undefined && view.timer(['approval.reminder', number])?.fired === true;
  return [
    ...(expires === undefined ? [] : timer('approval.expiry', expires.minutes)),
    ...(reminder === undefined ? [] : timer('approval.reminder', reminder)),
    ...(due && view.laterText(`reminder ${number}`) === null ? [remind(view, reminder)] : []),
  ];
}

/** An update, which reaches the feed and every target. Its text is stored, so it is posted only once. */
function remind(view: View, minutes: number): TellDecision {
  const { activationId, stepId } = view;
  const text = `Waits for your decision since ${span(minutes)}.`;
  const update: Update = {
    iteration: 1,
    of: 1,
    retry: 0,
    story: { id: stepId, title: view.title },
    storySource: 'step',
    result: 'blocked',
    commit: null,
    summary: [text],
  };
  return {
    kind: 'tell',
    events: [
      {
        type: 'activation.expanded',
        activationId,
        texts: { message: text },
        warnings: [],
        name: `reminder ${view.turns.length}`,
      },
      { type: 'update.posted', activationId, turnId: null, stepId, update, text: formatUpdate(update) },
    ],
  };
}
