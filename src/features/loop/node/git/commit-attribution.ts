import { join } from 'node:path';
import type { Git } from '@main/adapters/git/command/git-command';
import type { Untold } from '../../contract/events';
import type { AttemptPlace, LookedAfter, LoopPlace } from '../../contract/ports';
import { CommitTimes, type TimedCommit } from './bounds';
import { appendedSince, changedAt, type ProgressFacts, planText, progressNow } from './files';
import type { Beginning } from './follow';
import { planAtHome, standOf } from './loop-branch';

const MOST_COMMITS = 100;

type Left = Omit<LookedAfter, 'message' | 'messageLag'>;
type Commits = Pick<Left, 'head' | 'rewritten' | 'commits'>;
/** The current state, with what is needed to reconstruct earlier ones. */
interface Present {
  readonly left: Left & { readonly text: string | null };
  readonly range: readonly TimedCommit[];
}

/** Determines an attempt's result from the current state and the state when the next attempt began. */
export class CommitAttribution {
  private readonly path: string;

  constructor(
    private readonly git: Git,
    private readonly place: LoopPlace,
    private readonly attempt: AttemptPlace,
  ) {
    this.path = join(place.cwd, place.folder);
  }

  async present(): Promise<Present> {
    const { before, branch = null, mark } = this.attempt;
    const stand = await standOf(this.git, branch);
    const { branch: present, tip: head, checkedOut } = stand;
    const away = checkedOut !== undefined;
    const { rewritten, range } = await this.between(before.head, await this.worked(head));
    const left = {
      head,
      rewritten,
      commits: range.map(shown),
      untold: [],
      // The intended branch of a watched loop is unknown.
      ...(mark === null ? { branch: present } : {}),
      ...(away ? { checkedOut } : {}),
      text: await (away ? planAtHome(this.git, this.place, stand) : planText(this.place)),
      ...(await this.progress(Number.POSITIVE_INFINITY)),
    };
    return { left, range };
  }

  /** Where the worker's commits end: the check's come after them. */
  private async worked(head: string | null): Promise<string | null> {
    const { worked = null } = this.attempt;
    if (worked === null || head === null) return head;
    const isBefore = (await this.git.maybe('merge-base', '--is-ancestor', worked, head)) !== null;
    return isBefore ? worked : head;
  }

  /** Its log is already another attempt's, and nothing reveals when that one began. */
  overwritten({ left: { head } }: Present): Left {
    const { before } = this.attempt;
    const { progressBytes, progressHash } = before;
    const commits: Untold[] = head === before.head ? [] : ['commits'];
    return {
      head: before.head,
      rewritten: false,
      commits: [],
      text: undefined,
      progress: '',
      progressBytes,
      progressHash,
      untold: ['log', ...commits, 'plan'],
    };
  }

  /** The state at a moment. Parts that cannot be determined are left out and listed. */
  async at(at: number, present: Present, beginning: Beginning | null): Promise<Left> {
    const commits = await this.commitsAt(at, present);
    const plan = await this.planAt(at, present.left, { beginning, head: commits.head });
    const progress = await this.progressAt(at, present.left, beginning);
    const untold = [...commits.untold, ...plan.untold, ...progress.untold];
    return { ...commits, ...plan, ...progress, untold };
  }

  private async commitsAt(at: number, present: Present): Promise<Commits & Pick<Left, 'untold'>> {
    const { before } = this.attempt;
    const times = new CommitTimes(this.git, this.place.cwd);
    const { rewritten } = present.left;
    const split = rewritten ? null : await times.split(present.range, at);
    const last = split?.before.at(-1);
    if (split && (last !== undefined || split.unknown)) {
      const commits = split.before.map(shown);
      return {
        head: last?.full ?? before.head,
        rewritten,
        commits,
        untold: split.unknown ? ['commits'] : [],
      };
    }
    // The current state contains none of its own; the next attempt may have replaced it.
    const head = await this.headAt(at, times);
    const made = head === null ? null : await this.between(before.head, head);
    // A commit that does not descend from the earlier one is from another branch, or old.
    if (made !== null && !made.rewritten)
      return { head, rewritten: false, commits: made.range.map(shown), untold: [] };
    if (!rewritten) return { head: before.head, rewritten, commits: [], untold: [] };
    return { head: present.left.head, rewritten, commits: [], untold: ['commits'] };
  }

  /** The newest commit that HEAD was moved to by a commit before that moment; null if the reflog has none. */
  private async headAt(at: number, times: CommitTimes): Promise<string | null> {
    const rows =
      (await this.git.maybe(
        'reflog',
        'show',
        '--format=%H%x00%ct%x00%gs',
        `-${MOST_COMMITS}`,
        'HEAD',
        '--',
      )) ?? '';
    for (const row of rows.split('\n')) {
      const [full = '', committed = '', what = ''] = row.split('\0');
      // If HEAD was moved to an older commit, that commit's time is not the time of the move.
      if (!what.startsWith('commit')) continue;
      const when = await times.when({ full, committed: Number(committed) }, at);
      if (when === 'unknown') return null;
      if (when === 'before') return full;
    }
    return null;
  }

  private async planAt(
    at: number,
    { text }: Present['left'],
    { beginning, head }: { readonly beginning: Beginning | null; readonly head: string | null },
  ): Promise<Pick<Left, 'text' | 'untold'>> {
    const changed = await changedAt(this.path, 'prd.json');
    if (changed !== null && changed < at) return { text, untold: [] };
    const noted = beginning?.plan ?? null;
    if (noted !== null && noted.changedAt < at) return { text: noted.text, untold: [] };
    // What was committed by then is certain; later changes may belong to either attempt.
    const prefix = await this.git.maybe('rev-parse', '--show-prefix');
    const file = `${prefix ?? ''}${this.place.folder === '.' ? '' : `${this.place.folder}/`}prd.json`;
    const committed = head === null ? null : await this.git.maybe('show', `${head}:${file}`);
    if (committed !== null && committed === text?.replace(/\n$/, '')) return { text, untold: [] };
    return { text: committed ?? undefined, untold: ['plan'] };
  }

  private async progressAt(
    at: number,
    { progress, progressBytes, progressHash }: Left,
    beginning: Beginning | null,
  ): Promise<Pick<Left, 'progress' | 'untold'> & ProgressFacts> {
    const changed = await changedAt(this.path, 'progress.txt');
    const now = { progressBytes, progressHash };
    if (changed === null || changed < at) return { progress, ...now, untold: [] };
    const noted = beginning?.progress ?? null;
    if (noted !== null && noted.changedAt < at) return { ...(await this.progress(noted.bytes)), untold: [] };
    return { progress: '', ...now, untold: progress === '' ? [] : ['progress'] };
  }

  private async progress(upTo: number): Promise<Pick<Left, 'progress'> & ProgressFacts> {
    const progress = await appendedSince(this.path, this.attempt.before, upTo);
    return { progress, ...(await progressNow(this.path, upTo)) };
  }

  /** New commits, oldest first, and whether the earlier commit is no longer an ancestor. */
  private async between(
    before: string | null,
    after: string | null,
  ): Promise<{ readonly rewritten: boolean; readonly range: readonly TimedCommit[] }> {
    if (before === after) return { rewritten: false, range: [] };
    if (after === null) return { rewritten: true, range: [] };
    const { git } = this;
    const isAncestor =
      before === null || (await git.maybe('merge-base', '--is-ancestor', before, after)) !== null;
    const range = before === null ? after : `${before}..${after}`;
    const format = ['--format=%h%x00%s%x00%H%x00%ct', `--max-count=${MOST_COMMITS}`, '-z'];
    const rows = await git.text('log', ...format, range, '--');
    const fields = rows === '' ? [] : rows.replace(/\0$/, '').split('\0');
    const commits: TimedCommit[] = [];
    for (let index = 0; index + 3 < fields.length; index += 4) {
      const [hash = '', subject = '', full = '', committed = ''] = fields.slice(index, index + 4);
      commits.push({ hash, subject, full, committed: Number(committed) });
    }
    return { rewritten: !isAncestor, range: commits.reverse() };
  }
}

const shown = ({ hash, subject }: TimedCommit) => ({ hash, subject });
