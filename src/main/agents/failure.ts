import { type AppError, appError } from '@contract/errors';
import type { Json } from '@contract/ids';
import type { ProcessExit } from '../core/ports/programs/process';
import { OVERLOADED_MS } from '../limits/core';
import { type FailureClass, failureClass, failureInstead } from './failure-table';
import { parseReset } from './reset-time';
import { tellingLine } from './telling-line';

/** A failure of a turn or start, in Muster's words. */
export interface Failure {
  readonly kind: 'limit' | 'failed';
  readonly error: AppError;
  readonly limitResetsAt: number | null;
}

export interface FailureContext {
  readonly agent: string;
  /** The exact login command, if known. */
  readonly login: string | null;
  /** The variable or secret with the agent's key; null if the profile has none. */
  readonly key: string | null;
  now(): number;
  /** Removes secrets from the agent's words. */
  redact(text: string): string;
}

const MOST_WORDS = 2000;
const AGAIN = 'This usually passes: resume the run.';

/** The meaning of an agent's own words about a failure. */
export function reportedFailure(detail: string, context: FailureContext, data?: Json): Failure {
  return failureOf(failureClass(detail), { detail, data }, context);
}

/** The failure that an agent reported in place of its response; null if it is an answer. */
export function sentenceFailure(response: string, context: FailureContext): Failure | null {
  const found = failureInstead(response);
  if (found === null) return null;
  return failureOf(found === 'other' ? null : found, { detail: response }, context);
}

export function failureOf(
  what: FailureClass | null,
  { detail, data }: { readonly detail: string; readonly data?: Json | undefined },
  context: FailureContext,
): Failure {
  const { agent, key, login, now } = context;
  // Before truncating: half a secret would not be recognised.
  const message = context.redact(detail.trim()).slice(0, MOST_WORDS);
  const resetsAt = parseReset(detail, data, now());
  const failed = (code: AppError['code'], words: string, mend: string): Failure => ({
    kind: 'failed',
    error: appError(code, `${words}: ${message}`, { mend }),
    limitResetsAt: null,
  });
  switch (what) {
    case 'quota':
    case 'limit': {
      // A quota that resets at a known time is waited for like any limit.
      const spent = what === 'quota' && resetsAt === null;
      const error = spent
        ? appError(
            'agent.quota',
            `${agent}’s provider reports that the quota or credit is used up: ${message}`,
            {
              mend: 'Add credit at the provider, or use another profile or model; then send again.',
            },
          )
        : appError('agent.limit', `${agent}’s provider reports a limit: ${message}`);
      return { kind: 'limit', error, limitResetsAt: resetsAt };
    }
    case 'overloaded': {
      const error = appError('agent.overloaded', `${agent}’s provider is overloaded: ${message}`);
      return { kind: 'limit', error, limitResetsAt: resetsAt ?? now() + OVERLOADED_MS };
    }
    case 'key_refused':
      return failed('agent.key_refused', `${agent}’s provider rejects the key`, keyHint(key));
    case 'unauthorized': {
      // Its words do not tell a missing login from a rejected key.
      if (key !== null) return failureOf('key_refused', { detail, data }, context);
      const how = login ? `Log in with: ${login}` : `Log in to ${agent} in a terminal`;
      return failed(
        'agent.auth_required',
        `${agent}’s provider refused its login or key`,
        `${how}, or set a valid key; then try again.`,
      );
    }
    case 'logged_out': {
      const mend = login ? `Log in with: ${login}` : `Log in to ${agent} in a terminal, then try again.`;
      return failed('agent.auth_required', `${agent} is not logged in`, mend);
    }
    case 'unreachable':
      return failed(
        'agent.unreachable',
        `${agent} reports a failed connection`,
        'If this is its model server: check the network, any proxy, and the address in its settings. If it is an MCP server: check that one. Then resume the run.',
      );
    case 'stream_broken':
      return failed('agent.stream_broken', `The answer to ${agent} was cut off`, AGAIN);
    case 'server_error':
      return failed('agent.failed', `${agent}’s model server reported an error`, AGAIN);
    case null:
      return {
        kind: 'failed',
        error: appError('agent.failed', `${agent} reported an error: ${message}`),
        limitResetsAt: null,
      };
  }
}

const keyHint = (key: string | null): string =>
  key === null
    ? 'Set a valid key where the agent reads it. If that is an environment variable, restart Muster after the change.'
    : `Set a valid key in ${key} (Agents, Secrets; or the environment of Muster, followed by a restart).`;

/** The first variable of a profile that is named like a key; secrets before environment variables. */
export function keyNameOf(profile: {
  readonly secrets: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}): string | null {
  const names = [...profile.secrets, ...Object.keys(profile.env)];
  return names.find((name) => /(?:API_?KEY|_KEY|TOKEN)$/i.test(name)) ?? null;
}

export function describeExit(exit: ProcessExit): string {
  const how = exit.signal ? `was ended by ${exit.signal}` : `exited with code ${exit.code ?? 'unknown'}`;
  const died = hostDeath(exit);
  return died === null ? how : `was lost: ${died}`;
}

/** Which process of Muster's died and took the agent with it; null if the agent itself ended. */
export function hostDeath({ host }: ProcessExit): string | null {
  switch (host) {
    case 'guard':
      return "Muster's guard process of the agent died";
    case 'terminals':
      return "Muster's terminal host died";
    case undefined:
      return null;
  }
}

/** The end of a turn whose host died: not a result of the agent. */
export const interruptedTurn = (why: string) => ({
  ...({ outcome: 'failed', stopReason: 'host_died', limitResetsAt: null } as const),
  error: appError('unavailable', `${why}.`, { mend: 'Send it again: the session is resumed.' }),
  interrupted: why,
});

const lastWords = (said: string): string => (said === '' ? '' : ` Its last words:\n${said}`);

export function crashError(exit: ProcessExit, words: string, context: FailureContext): AppError {
  const said = context.redact(words).trim();
  // First, because summaries and notices have room for one line.
  const why = said.includes('\n') ? `: ${tellingLine(said).replace(/[.:]$/, '')}` : '';
  const message = `${context.agent} ${describeExit(exit)} in the middle of the turn${why}.${lastWords(said)}`;
  return appError('agent.crashed', message, { mend: 'Resume the step: the session is taken up again.' });
}

/** Failures that only the operator can fix, so that a start with such a failure waits for them. */
const WAITS: readonly (FailureClass | null)[] = ['key_refused', 'logged_out', 'unauthorized'];

/** A program that ended, or did not reach its prompt, before it accepted anything. */
export function startError(what: string, words: string, context: FailureContext): AppError {
  const message = context.redact(words).trim();
  const found = failureClass(message);
  if (WAITS.includes(found))
    return failureOf(found, { detail: message.split('\n').at(-1) ?? message }, context).error;
  return appError('agent.start_failed', `${context.agent} ${what}.${lastWords(message)}`, {
    mend: 'Start it by hand with the same command to see what is missing.',
  });
}
