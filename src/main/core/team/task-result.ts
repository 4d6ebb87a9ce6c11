import type { Claim } from '@contract/team/state';
import { claimIn } from '@contract/team/task-result';

/** What a member's response says of its round. A claim: the runtime decides states (SPEC "Teams"). */
export interface TaskResult {
  readonly claim: Claim;
  /** Inside the tags; the whole response where there are none. */
  readonly text: string;
}

const OPEN = /<task-result(\s[^<>]*)?>/gi;
const CLOSE = /<\/task-result>/i;

/**
 * Reads the last `<task-result>` of a response (seed 003). An end tag may be missing: a model that stops early leaves
 * it out. A status that is not known is no claim.
 */
export function readTaskResult(response: string): TaskResult {
  const last = [...response.matchAll(OPEN)].at(-1);
  if (last === undefined) return { claim: 'none', text: response.trim() };
  const after = response.slice((last.index ?? 0) + last[0].length);
  const end = CLOSE.exec(after);
  const text = (end === null ? after : after.slice(0, end.index)).trim();
  return { claim: claimIn(last[1] ?? ''), text };
}
