import { RequestError } from '@agentclientprotocol/sdk';
import { appError } from '@contract/errors';
import { type Failure, type FailureContext, failureOf, reportedFailure } from '../failure';
import { failureClass } from '../failure-table';
import { ReplyError } from './connection/connection';
import { toJson } from './turn/tool-calls';

const AUTH_REQUIRED = -32000;

/** All texts in an error's data, for agents that put the explanation only there. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 4) return [];
  return Object.values(value).flatMap((one) => textsIn(one, depth + 1));
}

const failed = (error: Failure['error']): Failure => ({ kind: 'failed', error, limitResetsAt: null });

/** An agent's error reply in its own words, including details outside of the message. */
export function wordsOf(error: RequestError): string {
  const details = textsIn(error.data).filter((text) => !error.message.includes(text));
  return [error.message, ...details].join(': ');
}

/** The meaning of an agent's error reply. `said`: its last text, in which some agents explain the reason. */
export function replyFailure(error: unknown, context: FailureContext, said = ''): Failure {
  if (error instanceof ReplyError) {
    return failed(appError('agent.protocol', `${context.agent} violates the protocol: ${error.message}`));
  }
  if (!(error instanceof RequestError)) {
    return failed(appError('agent.failed', `${context.agent}: ${context.redact(String(error))}`));
  }
  const detail = wordsOf(error);
  const data = toJson(error.data);
  if (error.code !== AUTH_REQUIRED) return reportedFailure(detail, context, data);
  // The same code is used for a missing login and a rejected key.
  const words = [detail, ...(said.trim() === '' || said.length > 500 ? [] : [said.trim()])].join(': ');
  const found = failureClass(words) ?? 'unauthorized';
  const isLogin = found === 'unauthorized' && context.key === null;
  return failureOf(isLogin ? 'logged_out' : found, { detail: words, data }, context);
}
