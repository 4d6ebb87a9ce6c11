import type { Claim } from '@areas/sessions/contract/task-result';
import { taskResultParts } from '@areas/sessions/contract/task-result';

/** A member's claim about its round. Only a claim: the runtime decides states (SPEC "Teams"). */
interface TaskResult {
  readonly claim: Claim;
  /** The text inside the tags; the whole response if there are none. */
  readonly text: string;
}

const resultIn = (response: string) => taskResultParts(response).findLast((part) => part.kind === 'result');

/** Whether the response contains a `<task-result>` outside of quoted code. */
export const hasTaskResult = (response: string): boolean => resultIn(response) !== undefined;

/** An unknown status of its `<task-result>`, as written; null if the status is known. */
export const unknownStatus = (response: string): string | null => resultIn(response)?.unknown ?? null;

/**
 * Parses the last `<task-result>` of a response (seed 003). An end tag may be missing, since models that stop
 * early omit it. An unknown status is no claim.
 */
export function readTaskResult(response: string): TaskResult {
  const last = resultIn(response);
  return last === undefined
    ? { claim: 'none', text: response.trim() }
    : { claim: last.claim, text: last.text };
}
