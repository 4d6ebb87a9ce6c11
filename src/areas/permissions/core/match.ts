import type { PermissionRequest } from '@areas/gates/contract/gate';
import type { PermissionRule, RuleDraft } from '../contract/rule';
import { allowsCommand, deniesCommand, isSimpleCommand } from './command';
import { matchesPattern } from './pattern';
import { matchesPath, placeOf } from './place';

/** The requesting agent and its place. */
export interface RuleContext {
  readonly profileId: string;
  readonly projectId: number;
  readonly runId: number;
  /** The agent's working folder, absolute and with links resolved. */
  readonly workspaceRoot: string;
  /** The agent works in the operator's own checkout (`workspace: project`). */
  readonly ownCheckout: boolean;
  readonly now: number;
}

/** Every known file of a request. Requests from before rules existed have only their diffs. */
export function pathsOf(request: PermissionRequest): string[] {
  return [...new Set(request.paths ?? request.diffs.map(({ path }) => path))];
}

type Said = Omit<RuleDraft, 'reason'>;

/** Whether a rule applies here and now, regardless of the request. */
function counts(rule: Said, context: RuleContext): boolean {
  if (rule.expires_at !== null && rule.expires_at <= context.now) return false;
  if (rule.scope === 'run' && rule.run_id !== context.runId) return false;
  if (rule.scope === 'project' && rule.project_id !== context.projectId) return false;
  // In the operator's own checkout every write is a gate; only a rule for this project may answer it.
  if (rule.effect === 'allow' && context.ownCheckout && rule.project_id !== context.projectId) return false;
  return rule.agent === '*' || rule.agent === context.profileId;
}

/** An allowing rule must cover everything in the request. */
function allows(rule: Said, request: PermissionRequest, root: string): boolean {
  const { command, cwd } = request;
  const executes = command !== undefined || request.kind === 'execute';
  if (executes && (command === undefined || !isSimpleCommand(command))) return false;
  if (executes && cwd !== undefined && placeOf(cwd, root).inside === null) return false;
  if (rule.command !== null && (command === undefined || !allowsCommand(rule.command, command))) return false;
  if (rule.path === null) return rule.command === null || request.diffs.length === 0;
  if (executes && rule.command === null) return false;
  const pattern = rule.path;
  const places = pathsOf(request).map((path) => placeOf(path, root));
  return (
    places.length > 0 &&
    places.every((place) => !place.climbs && matchesPath(pattern, place, { root, dots: false }))
  );
}

/** A denying rule need only cover a part of the request. */
function denies(rule: Said, request: PermissionRequest, root: string): boolean {
  if (
    rule.command !== null &&
    (request.command === undefined || !deniesCommand(rule.command, request.command))
  )
    return false;
  if (rule.path === null) return true;
  const pattern = rule.path;
  return pathsOf(request).some((path) => matchesPath(pattern, placeOf(path, root), { root, dots: true }));
}

/** Whether this one rule answers the request. */
export function ruleMatches(rule: Said, request: PermissionRequest, context: RuleContext): boolean {
  if (!counts(rule, context) || !matchesPattern(rule.tool, request.tool)) return false;
  const covers = rule.effect === 'allow' ? allows : denies;
  return covers(rule, request, context.workspaceRoot);
}

/** The rule that answers a request, denying rules first; null if none does. */
export function matchRules<R extends Said & Partial<Pick<PermissionRule, 'removed_at'>>>(
  rules: readonly R[],
  request: PermissionRequest,
  context: RuleContext,
): R | null {
  const fit = rules.filter(
    (rule) => (rule.removed_at ?? null) === null && ruleMatches(rule, request, context),
  );
  return fit.find((rule) => rule.effect === 'deny') ?? fit[0] ?? null;
}
