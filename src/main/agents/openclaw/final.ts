import type { Usage } from '@areas/sessions/contract/session';
import { type AppError, appError } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { TurnResult } from '../../core/ports/ports';
import { type FailureContext, failureOf } from '../failure';
import { type FailureClass, failureClass } from '../failure-table';
import type { GatewayPlace } from './place';
import {
  type AgentAnswer,
  type ErrorShape,
  type History,
  type Message,
  usageSchema,
  type Wait,
  type WireUsage,
} from './wire';

/** How a run ended, from whatever source. */
export type Final =
  | {
      readonly kind: 'answered';
      readonly text: string | null;
      readonly usage: Usage | null;
      readonly stopReason: string;
    }
  | { readonly kind: 'failed'; readonly message: string; readonly stopReason: string }
  | { readonly kind: 'aborted'; readonly stopReason: string }
  | { readonly kind: 'broken'; readonly error: AppError };

/** Stop reasons of a cancelled run. */
const ABORTS = new Set(['rpc', 'aborted', 'abort', 'cancelled', 'stop_command']);

/** From the second response to `agent`; null if it is not the last one. */
export function finalOfAnswer(answer: AgentAnswer): Final | null {
  const { status, result, summary } = answer;
  if (status === 'accepted' || status === 'in_flight' || status === 'pending') return null;
  const meta = result?.meta;
  const stopReason = answer.stopReason ?? meta?.stopReason ?? status;
  if (meta?.aborted === true || ABORTS.has(stopReason)) return { kind: 'aborted', stopReason };
  if (status !== 'ok') return { kind: 'failed', message: summary ?? status, stopReason };
  const texts = (result?.payloads ?? []).flatMap(({ text }) => (text ? [text] : []));
  const visibleText = meta?.finalAssistantVisibleText;
  const text = visibleText ?? (texts.length === 0 ? null : texts.join('\n\n'));
  const { usage, costUsd } = meta?.agentMeta ?? {};
  return { kind: 'answered', text, usage: usage === undefined ? null : usageOf(usage, costUsd), stopReason };
}

export const finalOfRefusal = ({ message, code }: ErrorShape): Final => ({
  kind: 'failed',
  message,
  stopReason: code,
});

/** From `agent.wait`; null if the run continues. Text and tokens are in the transcript. */
export function finalOfWait(wait: Wait, history: History | null): Final | null {
  const { status, endedAt, error, stopReason = status } = wait;
  if (status === 'pending' || (status === 'timeout' && endedAt === undefined)) return null;
  if (ABORTS.has(stopReason)) return { kind: 'aborted', stopReason };
  if (status !== 'ok')
    return { kind: 'failed', message: error ?? `the run ended with ${stopReason}`, stopReason };
  const row = history === null ? null : answeredIn(history, wait.runId);
  // The reply included with the end is cut at 4,096 characters.
  return {
    kind: 'answered',
    text: row?.text ?? wait.terminalReply?.text ?? null,
    usage: row?.usage ?? null,
    stopReason,
  };
}

/** From the transcript alone, if the gateway has forgotten the run; null if it has no end there. */
export function finalOfHistory(history: History, runId: string): Final | null {
  if (history.inFlightRun?.runId === runId) return null;
  const rows = rowsOf(history, runId);
  const last = rows.at(-1);
  const stopReason = last?.stopReason ?? '';
  if (last === undefined || stopReason === '' || stopReason === 'toolUse') return null;
  if (ABORTS.has(stopReason)) return { kind: 'aborted', stopReason };
  if (stopReason === 'error') {
    return { kind: 'failed', message: last.errorMessage ?? 'the model failed', stopReason };
  }
  const { text, usage } = answeredIn(history, runId);
  return { kind: 'answered', text, usage, stopReason };
}

/** Whether the run's prompt is in the transcript, so that it must not be sent again. */
export const begunIn = (history: History, runId: string): boolean =>
  history.inFlightRun?.runId === runId ||
  rowsOf(history, runId).length > 0 ||
  history.messages.some((row) => row.idempotencyKey === `${runId}:user`);

const rowsOf = ({ messages }: History, runId: string): readonly Message[] =>
  messages.filter((row) => row.role === 'assistant' && row.__openclaw?.runId === runId);

function answeredIn(history: History, runId: string): { text: string | null; usage: Usage | null } {
  const rows = rowsOf(history, runId);
  const texts = rows.map(textOf).filter((text) => text !== '');
  const usages = rows.flatMap(({ usage }) => {
    const parsed = usageSchema.safeParse(usage);
    return parsed.success ? [usageOf(parsed.data)] : [];
  });
  return { text: texts.at(-1) ?? null, usage: usages.length === 0 ? null : usages.reduce(sum) };
}

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .flatMap((part) => (part.type === 'text' && part.text ? [part.text] : []))
    .join('\n\n');
}

function usageOf(usage: WireUsage, costUsd?: number): Usage {
  const { input, output, total = usage.totalTokens } = usage;
  return {
    input_tokens: input ?? null,
    output_tokens: output ?? null,
    total_tokens: total ?? null,
    cost_usd: costUsd ?? usage.cost?.total ?? null,
  };
}

function sum(a: Usage, b: Usage): Usage {
  const both = (x: number | null, y: number | null) =>
    x === null && y === null ? null : (x ?? 0) + (y ?? 0);
  return {
    input_tokens: both(a.input_tokens, b.input_tokens),
    output_tokens: both(a.output_tokens, b.output_tokens),
    total_tokens: both(a.total_tokens, b.total_tokens),
    cost_usd: both(a.cost_usd, b.cost_usd),
  };
}

type RunVerdict = Pick<TurnResult, 'outcome' | 'stopReason' | 'error'> &
  Partial<Pick<TurnResult, 'limitResetsAt'>>;

/** A gateway run's outcome for Muster. `reason` is the gateway's own code for a failure, if reported. */
export function judge(
  final: Final,
  text: string,
  { reason, place, now }: { reason: string | null; place: GatewayPlace; now: () => number },
): RunVerdict {
  switch (final.kind) {
    case 'broken':
      return { outcome: 'failed', stopReason: final.error.code, error: final.error };
    case 'aborted': {
      const error = appError('agent.failed', `the turn was stopped at the gateway (${final.stopReason})`);
      return { outcome: 'failed', stopReason: final.stopReason, error };
    }
    case 'failed':
      return judgeFailure(final, reason, { address: place.address, now });
    case 'answered':
      return judgeAnswer(final.stopReason, text);
  }
}

function judgeAnswer(stopReason: string, text: string): RunVerdict {
  if (stopReason === 'length') {
    // A truncated text is no answer: a step that accepted it would continue with half a result.
    const mend = 'raise maxTokens of the model in the gateway’s settings, or ask for a shorter answer';
    const error = appError('agent.failed', 'the answer was cut off at the model’s output limit', { mend });
    return { outcome: 'failed', stopReason, error };
  }
  if (/^(refusal|content_filter|sensitive)$/.test(stopReason)) {
    return { outcome: 'refused', stopReason, error: appError('agent.refused', text || 'the model refused') };
  }
  if (text.trim() === '') {
    return { outcome: 'failed', stopReason, error: appError('agent.failed', 'the agent gave no text') };
  }
  return { outcome: 'completed', stopReason, error: null };
}

/** The gateway's own codes for failed runs, as far as they are not a provider's. */
const REASONS: Readonly<Record<string, FailureClass>> = {
  rate_limit: 'limit',
  overloaded: 'overloaded',
  billing: 'quota',
  auth: 'unauthorized',
  auth_permanent: 'key_refused',
  timeout: 'server_error',
};

function judgeFailure(
  { message, stopReason }: Extract<Final, { kind: 'failed' }>,
  reason: string | null,
  { address, now }: { readonly address: string; readonly now: () => number },
): RunVerdict {
  const what = reason ?? stopReason;
  if (what === 'refusal' || (reason === null && message === 'refusal')) {
    return { outcome: 'refused', stopReason: what, error: appError('agent.refused', message) };
  }
  const context: FailureContext = {
    agent: address,
    login: 'openclaw models auth login (on the gateway’s machine)',
    key: null,
    now,
    redact: (text: string) => text,
  };
  const found =
    ownValue(REASONS, what) ?? failureClass(what) ?? (reason === null ? failureClass(message) : null);
  const { kind, error, limitResetsAt } = failureOf(found, { detail: message }, context);
  return { outcome: kind, stopReason: what, error, limitResetsAt };
}
