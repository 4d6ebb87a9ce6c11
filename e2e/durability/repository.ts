import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { turnSnapshot } from '@areas/changes/contract/changes';
import type { RunEvent, RunEventOf, StoredEvent } from '@contract/run/events';
import { eventsOf } from './turn-history';

/** What the operator has in the checkout that was not committed; Muster never touches it. */
const AS_BEFORE = [' M operators-own.txt', '?? notes.txt'];
/** A git that a killed core had begun may still be at work. */
const SETTLE_MS = 3_000;
const HALF_MERGE = ['MERGE_HEAD', 'CHERRY_PICK_HEAD', 'rebase-merge', 'index.lock', 'HEAD.lock'];

/** The operator's repository, seen by git itself. */
export class Repository {
  constructor(
    private readonly project: string,
    private readonly dataDir: string,
  ) {}

  private git(...args: string[]): string {
    return execFileSync('git', args, { cwd: this.project, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  }

  /** What is wrong with the checkout, once what was at work in it has come to rest. */
  async checkout(): Promise<string[]> {
    for (const until = performance.now() + SETTLE_MS; ; ) {
      const wrong = this.checkoutNow();
      if (wrong.length === 0 || performance.now() > until) return wrong;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  private checkoutNow(): string[] {
    const status = this.git('--no-optional-locks', 'status', '--porcelain').split('\n').filter(Boolean);
    const half = HALF_MERGE.filter((name) => existsSync(join(this.project, '.git', name)));
    const marked = /^(<{7}|>{7})/m.test(readFileSync(join(this.project, 'shared.txt'), 'utf8'));
    return [
      ...status.filter((line) => !AS_BEFORE.includes(line)).map((line) => `status: ${line}`),
      ...AS_BEFORE.filter((line) => !status.includes(line)).map((line) => `no more: ${line}`),
      ...half.map((name) => `there is ${name}`),
      ...(marked ? ['conflict markers'] : []),
    ];
  }

  /**
   * Worktrees that git does not find, that no run knows of, or that a run misses. `unfinished`: those that Muster itself
   * lists as never made ready, because git was killed while it made them.
   */
  worktrees(histories: Iterable<readonly StoredEvent[]>, unfinished: Iterable<string>): string[] {
    const known = new Set<string>();
    for (const event of [...histories].flatMap(eventsOf)) {
      if (event.type === 'run.workspace-ready' && event.branch !== null) known.add(event.path);
      if (event.type === 'workspace.ready' && event.branch !== null) known.add(event.path);
    }
    const entries = this.git('worktree', 'list', '--porcelain').split('\n\n');
    const listed = entries.flatMap((entry) => /^worktree (.*)$/m.exec(entry)?.[1] ?? []);
    const left = new Set(unfinished);
    const folder = join(this.dataDir, 'worktrees');
    const there = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
    return [
      ...entries.filter((entry) => /^prunable/m.test(entry)).map((entry) => `prunable: ${entry}`),
      ...[...known].filter((path) => !listed.includes(path)).map((path) => `lost: ${path}`),
      ...there.filter((path) => !known.has(path) && !left.has(path)).map((path) => `no run knows of ${path}`),
    ];
  }

  /** What of Muster's worktrees and branches is there. */
  leftovers(): string[] {
    const folder = join(this.dataDir, 'worktrees');
    const entries = this.git('worktree', 'list', '--porcelain').split('\n\n').filter(Boolean).slice(1);
    const branches = this.git('for-each-ref', '--format=%(refname)', 'refs/heads/muster').split('\n');
    return [...(existsSync(folder) ? readdirSync(folder) : []), ...entries, ...branches.filter(Boolean)];
  }

  /** Snapshots of turns that have finished, and ways back that were given out, that are not there. */
  snapshots(histories: Iterable<readonly StoredEvent[]>, waysBack: Iterable<string>): string[] {
    const refs = new Map(
      this.git('for-each-ref', '--format=%(refname) %(objectname)', 'refs/muster')
        .split('\n')
        .map((line) => line.split(' '))
        .map(([name = '', oid = '']) => [name, oid]),
    );
    const missing = [...waysBack]
      .filter((name) => !refs.has(`refs/muster/${name}`) && !this.inShadow(name))
      .map((name) => `the way back ${name}`);
    for (const history of histories) {
      const events = eventsOf(history);
      const [first] = events;
      if (first?.type !== 'run.started' || !changesFiles(first)) continue;
      for (const event of events) {
        if (event.type !== 'turn.finished' || event.outcome !== 'completed') continue;
        const { before, after } = event.changes ?? {};
        for (const [moment, oid] of [['before', before] as const, ['after', after] as const]) {
          const name = turnSnapshot(first.uid, event.turnId, moment);
          if (oid === undefined || refs.get(`refs/muster/${name}`) !== oid) missing.push(name);
        }
      }
    }
    return missing;
  }

  /** The snapshots of a plain folder are in a repository beside it. */
  private inShadow(name: string): boolean {
    const shadow = join(this.dataDir, 'artifacts', name.split('/')[0] ?? '', 'shadow.git');
    if (!existsSync(shadow)) return false;
    try {
      this.git(`--git-dir=${shadow}`, 'rev-parse', '--verify', '--quiet', `refs/muster/${name}`);
      return true;
    } catch {
      return false;
    }
  }

  /** Merges that are in the checkout more than once, or otherwise than the history tells. */
  merges(histories: Iterable<readonly StoredEvent[]>): string[] {
    const made = new Map<string, string[]>();
    for (const entry of this.git('log', '--format=%H%x09%s%x09%b%x00').split('\0')) {
      const [commit = '', subject = '', body = ''] = entry.trim().split('\t');
      const member = /^Merge the work of (.*)$/.exec(subject)?.[1];
      const uid = /\(([^)]*)\)/.exec(body)?.[1];
      if (member !== undefined)
        made.set(`${uid} ${member}`, [...(made.get(`${uid} ${member}`) ?? []), commit]);
    }
    return [...histories].flatMap((history) => mergesToldWrong(eventsOf(history), made));
  }
}

function changesFiles({ definition }: RunEventOf<'run.started'>): boolean {
  return definition.steps.some(({ type }) => type === 'step.coding' || type === 'step.team');
}

function mergesToldWrong(
  events: readonly RunEvent[],
  made: ReadonlyMap<string, readonly string[]>,
): string[] {
  const uid = events[0]?.type === 'run.started' ? events[0].uid : '';
  const members = new Map<number, string>();
  const ends = new Map<string, { merged: number; commits: Set<string> }>();
  for (const event of events) {
    if (event.type === 'team.merge-requested') members.set(event.mergeId, event.member);
    if (event.type !== 'team.merged') continue;
    const name = `${uid} ${members.get(event.mergeId)}`;
    const end = ends.get(name) ?? { merged: 0, commits: new Set<string>() };
    end.merged += 1;
    if (event.commit !== null) end.commits.add(event.commit);
    ends.set(name, end);
  }
  return [...new Set(members.values())].flatMap((member): string[] => {
    const name = `${uid} ${member}`;
    const [there, told] = [made.get(name) ?? [], ends.get(name)];
    if (there.length > 1) return [`${name} was merged ${there.length} times`];
    if (there.length === 1 && told === undefined) return [`${name} is merged, but nobody was told`];
    if (there[0] !== undefined && told?.commits.has(there[0]) !== true)
      return [`${name} is merged as ${there[0]}, but it was told that nothing was to be done`];
    if (there.length === 0 && (told?.commits.size ?? 0) > 0)
      return [`${name} is told to be merged, and is not`];
    return [];
  });
}
