import { type AppError, appError } from '@contract/errors';
import type { ProcessExit } from '../../core/ports/process';
import { parseReset } from '../reset-time';
import { LOGGED_OUT, troubleInstead } from '../sentence';

const LIMIT_TEXT =
  /rate[ _-]?limit|too many requests|\b429\b|\b529\b|overloaded|(usage|session|weekly|daily|hourly|request|spending|credit)s? limit|(exceeded|insufficient)[^.\n]{0,30}(quota|credits?|funds)|quota (exceeded|exhausted)|billing_error|credit balance|resource[ _]?exhausted/i;

export interface FailureContext {
  readonly agent: string;
  /** The exact command that logs in, where it is known. */
  readonly login: string | null;
  now(): number;
  /** Takes secrets out of what the agent said. */
  redact(text: string): string;
}

/** How a turn or a start failed, in Muster's words. */
export interface Failure {
  readonly kind: 'limit' | 'failed';
  readonly error: AppError;
  readonly limitResetsAt: number | null;
}

/** What an agent's own words about a failure mean: a missing login, a provider's limit, or another error. */
export function toldFailure(detail: string, context: FailureContext): Failure {
  const said = context.redact(detail.trim()).slice(0, 2000);
  if (LIMIT_TEXT.test(detail)) return limited(detail, said, context);
  if (LOGGED_OUT.test(detail)) return failed(authError(context, said));
  return failed(appError('agent.failed', `${context.agent} reported an error: ${said}`));
}

/** What an agent said where its response should be; null where that is one. */
export function sentenceFailure(response: string, context: FailureContext): Failure | null {
  const trouble = troubleInstead(response);
  if (trouble === null) return null;
  const said = context.redact(response.trim());
  return trouble === 'login' ? failed(authError(context, said)) : limited(response, said, context);
}

/** A program that ended, or did not come to its prompt, before it took anything. */
export function startError(what: string, words: string, context: FailureContext): AppError {
  const said = context.redact(words).trim();
  if (LOGGED_OUT.test(said)) return authError(context, said.split('\n').at(-1) ?? said);
  const shown = said === '' ? '' : ` Its last words:\n${said}`;
  return appError('agent.start_failed', `${context.agent} ${what}.${shown}`, {
    mend: 'Start it by hand with the same command to see what it lacks.',
  });
}

export function crashError(exit: ProcessExit, words: string, context: FailureContext): AppError {
  const said = context.redact(words).trim();
  const shown = said === '' ? '' : ` Its last words:\n${said}`;
  const message = `${context.agent} ${describeExit(exit)} in the middle of the turn.${shown}`;
  return appError('agent.crashed', message, { mend: 'Resume the step: the session is taken up again.' });
}

export function describeExit(exit: ProcessExit): string {
  return exit.signal ? `was ended by ${exit.signal}` : `exited with code ${exit.code ?? 'unknown'}`;
}

function limited(detail: string, said: string, { agent, now }: FailureContext): Failure {
  const error = appError('agent.limit', `${agent}'s provider has set a limit: ${said}`);
  return { kind: 'limit', error, limitResetsAt: parseReset(detail, undefined, now()) };
}

const failed = (error: AppError): Failure => ({ kind: 'failed', error, limitResetsAt: null });

function authError({ agent, login }: FailureContext, said: string): AppError {
  const mend = login ? `Log in with: ${login}` : `Log in to ${agent} in a terminal, then try again.`;
  return appError('agent.auth_required', `${agent} is not logged in: ${said}`, { mend });
}
