import { join } from 'node:path';
import {
  canAsk,
  fitsOwnCheckout,
  OWN_CHECKOUT_REFUSAL,
  sandboxOf,
} from '@areas/agents/contract/permission-capabilities';
import type { AgentProfile } from '@areas/agents/contract/profile';
import { unreadable } from '@areas/workflows/node/workflow-problems';
import { counted } from '@contract/counted';
import { appError, type Problem } from '@contract/errors';
import type { ParsedInput } from '@contract/ipc';
import { ownValue } from '@contract/own';
import { readTextFile } from '@main/services/text-file';
import type { Plan } from '../contract/events';
import { PLAN_BYTES } from '../contract/limits';
import type { LoopPreview } from '../contract/procedures';
import { openStories } from '../contract/state';
import { ralphConfigSchema } from '../core/config';
import { assumptionsIn, readPlan } from '../core/prd';
import { jsonSteps, lineOfJson } from './json-place';

/** Read-only git in a folder: its output, or null if it fails. */
export type ReadGit = (cwd: string, ...args: string[]) => Promise<string | null>;

interface PreviewParts {
  readonly git: ReadGit;
  /** The run of Muster that works in a folder. */
  runIn?(folder: string): { readonly id: number; readonly name: string; readonly finished: boolean } | null;
  /** The project's agents, by id. */
  readonly profiles: Readonly<Record<string, AgentProfile>>;
}

type PreviewRequest = Omit<ParsedInput<'loop.preview'>, 'projectId'> & { readonly projectPath: string };
type Repository = NonNullable<LoopPreview['repository']>;

const problem = (
  severity: Problem['severity'],
  ...[code, message, more]: Parameters<typeof appError>
): Problem => ({ ...appError(code, message, more), severity });

const MOST_FILES = 8;
/** This command does not support git's literal pathspecs; after `./` no name is taken for a pattern. */
const CHECK_IGNORE = ['--no-literal-pathspecs', 'check-ignore', '--quiet', '--'] as const;

/** Checks a plan and its repository as a start would: all problems, not only the first. */
export async function previewLoop(parts: PreviewParts, wanted: PreviewRequest): Promise<LoopPreview> {
  const shape = shapeProblems(wanted);
  const folder = wanted.folder.replace(/\\/g, '/').replace(/^(?:\.\/)+|\/+$/g, '') || '.';
  const file = folder === '.' ? 'prd.json' : `${folder}/prd.json`;
  const nothing = { file, plan: { state: 'none' } as const, readFrom: { kind: 'file', name: file } as const };
  if (shape.length > 0) return { ...nothing, problems: shape, branch: wanted.branch, repository: null };
  const read = await readTextFile(join(wanted.projectPath, file), wanted.projectPath, PLAN_BYTES);
  const lying = read !== null && 'text' in read ? read.text : null;
  const look = new Look(parts.git, wanted, file);
  const found = await look.read(lying);
  const plan = readPlan(found.text);
  const problems = [
    ...repositoryProblems(wanted, found, {
      orInProject: orInTheProject(parts.profiles, wanted),
      holder: found.takenBy === null ? null : (parts.runIn?.(found.takenBy) ?? null),
    }),
    ...planProblems(plan, { wanted, file, found, lying }),
    ...workerProblems(parts.profiles, wanted),
    ...(read !== null && 'trouble' in read ? [unreadable(file, read)] : []),
  ];
  return {
    file,
    plan,
    readFrom: found.readFrom,
    problems,
    branch: found.branch,
    repository: found.repository,
  };
}

function shapeProblems({ folder, branch }: PreviewRequest): Problem[] {
  const read = ralphConfigSchema.unwrap().pick({ folder: true, branch: true }).safeParse({ folder, branch });
  if (read.success) return [];
  return read.error.issues.map(({ path, message }) =>
    problem('error', 'input.invalid', `${path.join('.')}: ${message}`, { where: { path: path.join('.') } }),
  );
}

interface PlanFound {
  readonly text: string | null;
  readonly readFrom: LoopPreview['readFrom'];
  readonly branch: string | null;
  readonly repository: Repository | null;
  readonly hasCommit: boolean;
  /** Another checkout that has the branch; git allows only one. */
  readonly takenBy: string | null;
  /** Git ignores the plan: the loop's worktree gets a copy, whose changes are copied back. */
  readonly ignored: boolean;
}

class Look {
  constructor(
    private readonly git: ReadGit,
    private readonly wanted: PreviewRequest,
    private readonly file: string,
  ) {}

  /** `lying` is the text of the project's file. */
  async read(lying: string | null): Promise<PlanFound> {
    const inside = await this.ask('rev-parse', '--show-prefix');
    const readFrom = { kind: 'file', name: this.file } as const;
    const blank = { readFrom, hasCommit: false, takenBy: null, ignored: false };
    if (inside === null) return { ...blank, text: lying, branch: this.branchOf(lying), repository: null };
    const hasCommit = (await this.ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}')) !== null;
    const current = await this.ask('symbolic-ref', '--quiet', '--short', 'HEAD');
    const ownTree = this.wanted.workspace === 'worktree';
    // Git does not treat a tracked file as ignored.
    const ignored = lying !== null && (await this.ask(...CHECK_IGNORE, `./${this.file}`)) !== null;
    const first = ownTree ? ((await this.at('HEAD')) ?? (ignored ? lying : null)) : lying;
    const branch = this.branchOf(first);
    const branchExists =
      branch !== null &&
      (await this.ask('rev-parse', '--verify', '--quiet', `refs/heads/${branch}`)) !== null;
    const fromBranch = branchExists && (ownTree || branch !== current);
    const onBranch = fromBranch && branch !== null ? await this.at(`refs/heads/${branch}`) : null;
    const copied = ignored && onBranch === null && (fromBranch || first === lying);
    const text = copied ? lying : fromBranch ? onBranch : first;
    return {
      text,
      ignored,
      readFrom: copied ? readFrom : this.readFrom({ branch: fromBranch ? branch : null, current, ownTree }),
      branch,
      repository: { branch: current, branchExists, ...(await this.changed()) },
      hasCommit,
      takenBy: branch !== null && (ownTree || branch !== current) ? await this.takenBy(branch) : null,
    };
  }

  private ask(...args: string[]): Promise<string | null> {
    return this.git(this.wanted.projectPath, ...args);
  }

  private at(commit: string): Promise<string | null> {
    return this.ask('show', `${commit}:./${this.file}`);
  }

  private branchOf(text: string | null): string | null {
    const plan = readPlan(text);
    return this.wanted.branch ?? (plan.state === 'read' ? plan.branchName : null);
  }

  private readFrom(of: {
    branch: string | null;
    current: string | null;
    ownTree: boolean;
  }): LoopPreview['readFrom'] {
    if (of.branch !== null) return { kind: 'branch', name: of.branch };
    return of.ownTree ? { kind: 'branch', name: of.current ?? 'HEAD' } : { kind: 'file', name: this.file };
  }

  private async changed(): Promise<Pick<Repository, 'changed' | 'changedFiles'>> {
    const status = await this.ask('status', '--porcelain=v1', '-z', '--no-renames', '--', '.');
    const files = (status ?? '').split('\0').flatMap((entry) => (entry === '' ? [] : [entry.slice(3)]));
    return { changed: files.length, changedFiles: files.slice(0, MOST_FILES) };
  }

  private async takenBy(branch: string): Promise<string | null> {
    const worktrees = (await this.ask('worktree', 'list', '--porcelain')) ?? '';
    const tree = worktrees
      .split('\n\n')
      .find((entry) => entry.split('\n').includes(`branch refs/heads/${branch}`));
    return tree === undefined ? null : (/^worktree (.+)$/m.exec(tree)?.[1] ?? null);
  }
}

/** A remedy that is only offered if the worker may use it. */
function orInTheProject(profiles: PreviewParts['profiles'], { worker }: PreviewRequest): string {
  const profile = ownValue(profiles, worker ?? '');
  return profile === undefined || fitsOwnCheckout(profile)
    ? ', or let the loop work in the project itself'
    : '';
}

function repositoryProblems(
  { workspace, projectPath }: PreviewRequest,
  { repository, hasCommit, takenBy, branch }: PlanFound,
  {
    orInProject,
    holder,
  }: {
    readonly orInProject: string;
    readonly holder: ReturnType<NonNullable<PreviewParts['runIn']>>;
  },
): Problem[] {
  const where = { file: projectPath };
  if (workspace === 'worktree' && repository === null)
    return [
      problem('error', 'project.not_a_repository', `${projectPath} is not a git repository`, {
        where,
        mend: `run 'git init' there and commit${orInProject}`,
      }),
    ];
  if (workspace === 'worktree' && !hasCommit)
    return [
      problem('error', 'workspace.failed', 'the repository has no commit yet', {
        where,
        mend: `commit your files${orInProject}`,
      }),
    ];
  if (takenBy !== null && holder !== null)
    return [
      problem('error', 'conflict', `run ${holder.id} (${holder.name}) works on the branch ${branch}`, {
        where: { run: holder.id },
        mend: holder.finished
          ? `\`muster clean\` removes its worktree and keeps its work; or name another branch here`
          : `resume it (\`muster loop resume ${holder.id}\`) or end it (\`muster cancel ${holder.id}\`), or name another branch here`,
      }),
    ];
  if (takenBy !== null)
    return [
      problem('error', 'conflict', `the branch ${branch} is checked out in ${takenBy}`, {
        mend: 'git allows a branch in one checkout only: switch that checkout to another branch, or name another branch here',
      }),
    ];
  const leaves = repository !== null && branch !== null && branch !== repository.branch;
  if (workspace === 'project' && repository !== null && repository.changed > 0)
    return [
      problem(
        'warning',
        'conflict',
        `${counted(repository.changed, 'file')} in the project ${repository.changed === 1 ? 'is' : 'are'} not committed`,
        {
          mend: leaves
            ? `git switches to ${branch} only if none of them is in the way`
            : 'a worker may commit them together with its own work',
        },
      ),
    ];
  return [];
}

interface Read {
  readonly wanted: PreviewRequest;
  readonly file: string;
  readonly found: PlanFound;
  readonly lying: string | null;
}

function planProblems(plan: Plan, read: Read): Problem[] {
  if (plan.state === 'none') return missing(read);
  if (plan.state === 'broken') {
    const text = read.found.text ?? '';
    return plan.problems.map((message) =>
      problem('error', 'validation.failed', message, {
        where: { file: read.file, ...placeIn(text, message) },
      }),
    );
  }
  const differs =
    read.wanted.workspace === 'worktree' && read.lying !== null && read.lying !== read.found.text;
  const same = plainText(read.lying) === plainText(read.found.text);
  return [
    ...(differs && !same ? [uncommitted(read)] : []),
    ...assumptionsIn(read.found.text).map((what) => assumed(what, read)),
    ...(openStories(plan, []).length > 0 ? [] : [nothingOpen(plan.stories.length, read)]),
  ];
}

/** Git's texts come without a byte order mark and their last line end. */
const plainText = (text: string | null): string | undefined => text?.replace(/^\uFEFF/, '').trimEnd();

const assumed = (what: string, { file }: Read): Problem =>
  problem('warning', 'validation.failed', `${file}: ${what}`, {
    where: { file },
    mend: 'nothing to do if that is meant',
  });

const uncommitted = ({ file, found }: Read): Problem =>
  problem('warning', 'conflict', `${file} differs on ${found.readFrom.name} from your project`, {
    where: { file },
    mend: `the loop works from what is committed on ${found.readFrom.name}: commit yours there to use it`,
  });

const nothingOpen = (stories: number, { file }: Read): Problem =>
  problem(
    'warning',
    'validation.failed',
    stories === 0 ? `${file} has no stories` : `all ${stories} stories already pass`,
    { where: { file }, mend: 'the loop would end immediately' },
  );

function missing({ wanted, file, found, lying }: Read): Problem[] {
  if (wanted.ownPrompt) return [];
  const where = { file };
  if (lying !== null && found.readFrom.kind === 'branch')
    return [
      problem('error', 'validation.file_missing', `${file} is not committed on ${found.readFrom.name}`, {
        where,
        mend: 'commit it there, or add it to .gitignore: a worktree has what is committed, and a copy of an ignored plan',
      }),
    ];
  return [
    problem('error', 'validation.file_missing', `there is no ${file}`, {
      where,
      mend: 'name the folder that holds prd.json, or give the loop a prompt of its own',
    }),
  ];
}

/** The place in the text that a message of `readPlan` refers to. */
function placeIn(text: string, message: string): { line?: number; path?: string } {
  const path =
    /^(userStories\[\d+\](?:\.\w+)?)/.exec(message)?.[1] ?? /^prd\.json: (\w+) /.exec(message)?.[1];
  if (path !== undefined) return { path, line: lineOfJson(text, jsonSteps(path)) };
  if (/end of JSON input/.test(message)) return { line: text.split('\n').length };
  const line = /line (\d+)/.exec(message)?.[1];
  if (line !== undefined) return { line: Number(line) };
  const position = /position (\d+)/.exec(message)?.[1];
  return position === undefined ? {} : { line: text.slice(0, Number(position)).split('\n').length };
}

function workerProblems(
  profiles: PreviewParts['profiles'],
  { worker, workspace }: Pick<PreviewRequest, 'worker' | 'workspace'>,
): Problem[] {
  if (worker === null) return [];
  const profile = ownValue(profiles, worker);
  if (profile === undefined)
    return [
      problem('error', 'validation.profile_unknown', `there is no agent "${worker}" in this project`, {
        mend: 'choose a listed one (muster agents), install it, or add it: muster agents add',
      }),
    ];
  const { name, permissions, read_only } = profile;
  if (workspace === 'project' && !fitsOwnCheckout(profile))
    return [
      problem('error', 'agent.refused', OWN_CHECKOUT_REFUSAL.message(name), {
        mend: 'let the loop work in a worktree, or choose a worker that can ask',
      }),
    ];
  if (canAsk(profile)) return [];
  if (sandboxOf({ permissions, read_only }, null) !== null) return [];
  return [
    problem('error', 'agent.refused', `${name} cannot ask, and its profile says "permissions: ask"`, {
      mend: 'set its permissions in Agents to allow_edits: it then works in the sandbox workspace-write',
    }),
  ];
}
