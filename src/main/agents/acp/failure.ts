import { RequestError } from '@agentclientprotocol/sdk';
import { type AppError, appError } from '@contract/errors';
import type { ProcessExit } from '../../core/ports/process';
import { parseReset } from '../reset-time';
import { LOGGED_OUT, troubleInstead } from '../sentence';
import { ReplyError } from './connection';
import { toJson } from './tool-calls';

const AUTH_REQUIRED = -32000;
const LIMIT_TEXT =
  /rate[ _-]?limit|too many requests|\b429\b|\b529\b|overloaded|(usage|session|weekly|daily|hourly|request|spending|credit)s? limit|limit reached\|\d|(exceeded|insufficient)[^.\n]{0,30}(quota|credits?|funds)|quota (exceeded|exhausted)|credit balance|resource[ _]?exhausted/i;
const STDERR_LINES = 12;

/** How a turn or a start failed, in Muster's words. */
export interface Failure {
  readonly kind: 'limit' | 'failed';
  readonly error: AppError;
  readonly limitResetsAt: number | null;
}

export interface FailureContext {
  readonly agent: string;
  /** The exact command that logs in. */
  readonly login: string | null;
  readonly now: number;
  /** Takes secrets out of what the agent said. */
  redact(text: string): string;
}

const failed = (error: AppError): Failure => ({ kind: 'failed', error, limitResetsAt: null });

export function authFailure(context: FailureContext, detail: string): Failure {
  return failed(
    appError('agent.auth_required', `${context.agent} is not logged in: ${context.redact(detail)}`, {
      mend: context.login
        ? `Log in with: ${context.login}`
        : `Log in to ${context.agent} in a terminal, then try again.`,
    }),
  );
}

export function limitFailure(context: FailureContext, detail: string, data?: unknown): Failure {
  const limitResetsAt = parseReset(detail, toJson(data), context.now);
  const error = appError(
    'agent.limit',
    `${context.agent}'s provider has set a limit: ${context.redact(detail)}`,
  );
  return { kind: 'limit', error, limitResetsAt };
}

/** All texts in an error's data, for agents that say what is wrong only there. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 4) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}

/** An agent's error reply in its own words, with what it says only beside the message. */
export function wordsOf(error: RequestError): string {
  const told = textsIn(error.data).filter((text) => !error.message.includes(text));
  return [error.message, ...told].join(': ');
}

/** What an agent's error reply means. */
export function replyFailure(error: unknown, context: FailureContext): Failure {
  if (error instanceof ReplyError) {
    return failed(
      appError('agent.protocol', `${context.agent} does not keep to the protocol: ${error.message}`),
    );
  }
  if (!(error instanceof RequestError)) {
    return failed(appError('agent.failed', `${context.agent}: ${context.redact(String(error))}`));
  }
  // Before it is cut: half a secret is not known as one.
  const detail = context.redact(wordsOf(error)).slice(0, 2000);
  if (error.code === AUTH_REQUIRED && !LIMIT_TEXT.test(detail)) return authFailure(context, detail);
  return toldFailure(detail, context, error.data);
}

/** What an agent's own words about a failure mean. */
export function toldFailure(detail: string, context: FailureContext, data?: unknown): Failure {
  if (LIMIT_TEXT.test(detail)) return limitFailure(context, detail, data);
  if (LOGGED_OUT.test(detail)) return authFailure(context, detail);
  return failed(appError('agent.failed', `${context.agent} reported an error: ${context.redact(detail)}`));
}

/** What an agent said where its response should be; null where that is one. */
export function sentenceFailure(response: string, context: FailureContext): Failure | null {
  const trouble = troubleInstead(response);
  if (trouble === null) return null;
  const text = response.trim();
  return trouble === 'login' ? authFailure(context, text) : limitFailure(context, text);
}

export function describeExit(exit: ProcessExit): string {
  return exit.signal ? `was ended by ${exit.signal}` : `exited with code ${exit.code ?? 'unknown'}`;
}

function lastWords(stderr: string, redact: (text: string) => string): string {
  const lines = stderr.trimEnd().split('\n').slice(-STDERR_LINES).join('\n').trim();
  return lines === '' ? '' : ` Its last words:\n${redact(lines)}`;
}

export function crashFailure(exit: ProcessExit, stderr: string, context: FailureContext): Failure {
  const words = lastWords(stderr, context.redact);
  const message = `${context.agent} ${describeExit(exit)} in the middle of the turn.${words}`;
  return failed(
    appError('agent.crashed', message, { mend: 'Resume the step: the session is taken up again.' }),
  );
}

export function startFailure(what: string, stderr: string, context: FailureContext): Failure {
  if (LOGGED_OUT.test(stderr)) return authFailure(context, stderr.trim().split('\n').at(-1) ?? '');
  return failed(
    appError('agent.start_failed', `${context.agent} ${what}.${lastWords(stderr, context.redact)}`, {
      mend: 'Start it by hand with the same command to see what it lacks.',
    }),
  );
}
