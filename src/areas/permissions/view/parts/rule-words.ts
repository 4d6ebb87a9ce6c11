import { HOUR_MS } from '@contract/time-units';
import type { PermissionRule, RuleDraft } from '../../contract/rule';

/** How long a rule is valid, as a choice. */
export type Span = 'run' | 'hour' | 'today' | 'month' | 'never';

/** A rule as it is being entered. */
export interface RuleWords {
  readonly agent: string;
  readonly tool: string;
  readonly path: string;
  readonly command: string;
  readonly effect: RuleDraft['effect'];
  readonly reason: string;
  readonly span: Span;
  /** The project of the rule; null: all projects. Ignored if the rule is for one run. */
  readonly projectId: number | null;
}

export const spanLabels: Record<Span, string> = {
  run: 'This run',
  hour: '1 hour',
  today: 'Today',
  month: '30 days',
  never: 'Always',
};

/** When a rule of this span ends; null: never. */
export function endOf(span: Span, now: number): number | null {
  if (span === 'hour') return now + HOUR_MS;
  if (span === 'month') return now + 30 * 24 * HOUR_MS;
  return span === 'today' ? new Date(now).setHours(24, 0, 0, 0) : null;
}

/** Where a rule is created: at a gate of a run, or, with null, independently of a run. */
export interface RulePlace {
  readonly runId: number;
  readonly projectId: number;
  readonly ownCheckout: boolean;
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim());

export function draftOf(words: RuleWords, place: RulePlace | null, now: number): RuleDraft {
  const { effect, span, projectId } = words;
  const says = {
    agent: words.agent,
    tool: words.tool.trim() || '*',
    path: orNull(words.path),
    command: orNull(words.command),
    effect,
    reason: words.reason.trim(),
    expires_at: endOf(span, now),
  };
  if (span === 'run' && place !== null) {
    // A rule is valid in the operator's own checkout only if it says so.
    return {
      ...says,
      scope: 'run',
      run_id: place.runId,
      project_id: place.ownCheckout ? place.projectId : null,
    };
  }
  const scope = projectId === null ? 'everywhere' : 'project';
  return { ...says, scope, run_id: null, project_id: projectId };
}

/** A suggested rule, to be edited before it is created. */
export function wordsOf(draft: RuleDraft, projectId: number | null): RuleWords {
  const { agent, tool, effect, reason } = draft;
  const span = draft.scope === 'run' ? 'run' : 'never';
  return {
    agent,
    tool,
    path: draft.path ?? '',
    command: draft.command ?? '',
    effect,
    reason,
    span,
    projectId,
  };
}

/** The subject of a rule in one line: `edit src/**`. */
export const subjectOf = ({
  tool,
  path,
  command,
}: Pick<PermissionRule, 'tool' | 'path' | 'command'>): string =>
  [tool === '*' ? 'any tool' : tool, command, path].filter((part) => part !== null).join(' ');
