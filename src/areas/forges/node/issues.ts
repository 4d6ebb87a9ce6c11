import type { ProjectRow } from '@areas/agents/contract/procedures';
import type { ParsedInput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import type { Handlers } from '@main/services/router';
import type { Issue } from '../contract/forge';
import { branchName, issuePrompt } from '../core/instruction';
import { shownIssue } from '../core/shown-issue';
import { digestOf } from './digest';
import type { Forges } from './forges';
import type { ForgeRecords } from './records';

export interface IssueParts {
  readonly records: Pick<ForgeRecords, 'began'>;
  readonly forges: Pick<Forges, 'open' | 'describe'>;
  project(id: number): ProjectRow | null;
  newKey(): string;
  /** Starts a run once per uid, also if its first answer was lost. */
  once(uid: string, start: () => Promise<Result<{ runId: number }>>): Promise<Result<{ runId: number }>>;
  startTask(input: ParsedInput<'run.startTask'>): Promise<Result<{ runId: number }>>;
}

/** What the operator saw of an issue: every word that an agent would get of it. */
const digestOfIssue = (issue: Issue): string => digestOf(issuePrompt(issue, ''));

/** Issues of a project's forge, and the start of work on one. */
export function issueHandlers(parts: IssueParts) {
  const { records, forges } = parts;
  const inProject = async <T>(
    projectId: number,
    about: (project: ProjectRow) => Promise<Result<T>>,
  ): Promise<Result<T>> => {
    const project = parts.project(projectId);
    return project === null ? fail('not_found', `there is no project ${projectId}`) : about(project);
  };
  const issueOf = (projectId: number, number: number): Promise<Result<Issue>> =>
    inProject(projectId, async ({ path }) => {
      const opened = await forges.open(path);
      return opened.ok ? opened.value.forge.issue({ repository: opened.value.repository, number }) : opened;
    });
  const start = async (
    { projectId, number, note, agent, startedBy, shown, branch }: ParsedInput<'issue.start'>,
    uid: string,
  ) => {
    const issue = await issueOf(projectId, number);
    if (!issue.ok) return issue;
    if (shown !== undefined && shown !== digestOfIssue(issue.value))
      return fail('conflict', 'The issue has changed since it was shown.', { mend: 'Read it again.' });
    const { title, url } = issue.value;
    records.began(uid, { number, title, url, branch: branch ?? null });
    const prompt = issuePrompt(issue.value, note);
    const task = { uid, projectId, agent, prompt, startedBy, attachments: [], issue: { number, title } };
    return parts.startTask({ ...task, workspace: 'worktree' });
  };
  return {
    'forge.get': ({ projectId }) => inProject(projectId, ({ path }) => forges.describe(path)),
    'issue.list': ({ projectId, search, label, state, page }) =>
      inProject(projectId, async ({ path }) => {
        const opened = await forges.open(path);
        if (!opened.ok) return opened;
        return opened.value.forge.issues(opened.value.repository, { search, label, state, page });
      }),
    'issue.get': async ({ projectId, number }) => {
      const issue = await issueOf(projectId, number);
      if (!issue.ok) return issue;
      const branch = branchName(number, issue.value.title, '');
      return ok({ ...shownIssue(issue.value), branch, shown: digestOfIssue(issue.value) });
    },
    'issue.preview': async ({ projectId, number, note }) => {
      const issue = await issueOf(projectId, number);
      if (!issue.ok) return issue;
      return ok({
        prompt: issuePrompt(issue.value, note),
        branch: branchName(number, issue.value.title, ''),
        shown: digestOfIssue(issue.value),
      });
    },
    'issue.start': ({ uid = parts.newKey(), ...input }) => parts.once(uid, () => start(input, uid)),
  } satisfies Partial<Handlers>;
}
