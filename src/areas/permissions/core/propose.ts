import type { PermissionRequest } from '@areas/gates/contract/gate';
import { type RuleDraft, ruleDraftSchema } from '../contract/rule';
import { pathsOf, type RuleContext, ruleMatches } from './match';
import { escapePattern } from './pattern';
import { insidePath } from './place';

/** The requested file, or the nearest common folder of several; null if there is none. */
function pathFor(paths: readonly string[], root: string): string | null {
  const [only, ...others] = paths;
  if (only === undefined) return null;
  if (others.length === 0) return escapePattern(insidePath(only, root) ?? only);
  const inside = paths.map((path) => insidePath(path, root));
  const folders = inside.flatMap((path) => (path === null ? [] : [path.split('/').slice(0, -1)]));
  if (folders.length < inside.length) return null;
  return [...sharedStart(folders).map(escapePattern), '**'].join('/');
}

function sharedStart(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = lists;
  const parts = first.findIndex((name, at) => others.some((other) => other[at] !== name));
  return parts < 0 ? first : first.slice(0, parts);
}

/**
 * The narrowest rule that would allow a request in its run: this agent, this tool, this command or these
 * files. Null if no rule can, because it is more than one simple command or its files are not fully known.
 */
export function proposeRule(request: PermissionRequest, context: RuleContext): RuleDraft | null {
  const command = request.command === undefined ? null : escapePattern(request.command.trim());
  const paths = pathsOf(request);
  const path = command === null || request.diffs.length > 0 ? pathFor(paths, context.workspaceRoot) : null;
  const draft: RuleDraft = {
    agent: context.profileId,
    tool: escapePattern(request.tool),
    path,
    command,
    effect: 'allow',
    reason: '',
    expires_at: null,
    scope: 'run',
    run_id: context.runId,
    project_id: context.ownCheckout ? context.projectId : null,
  };
  if (paths.length > 0 && command === null && path === null) return null;
  // Names that no pattern can express, such as two-line names, are left to the operator.
  return ruleDraftSchema.safeParse(draft).success && ruleMatches(draft, request, context) ? draft : null;
}
