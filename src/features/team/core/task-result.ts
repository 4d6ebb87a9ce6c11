import type { Claim } from '@contract/session/task-result';
import { taskResultParts } from '@contract/session/task-result';

/** What a member's response says of its round. A claim: the runtime decides states (SPEC "Teams"). */
export interface TaskResult {
  readonly claim: Claim;
  /** Inside the tags; the whole response where there are none. */
  readonly text: string;
}

const resultIn = (response: string) => taskResultParts(response).findLast((part) => part.kind === 'result');

/** Whether there is a `<task-result>` in it that is said, and not quoted as code. */
export const hasTaskResult = (response: string): boolean => resultIn(response) !== undefined;

/** The status of its `<task-result>` that is none of those there are, as it was written; null where it is one. */
export const unknownStatus = (response: string): string | null => resultIn(response)?.unknown ?? null;

/**
 * Reads the last `<task-result>` of a response (seed 003), as it is shown. An end tag may be missing: a model that stops
 * early leaves it out. A status that is not known is no claim.
 */
export function readTaskResult(response: string): TaskResult {
  const last = resultIn(response);
  return last === undefined
    ? { claim: 'none', text: response.trim() }
    : { claim: last.claim, text: last.text };
}
