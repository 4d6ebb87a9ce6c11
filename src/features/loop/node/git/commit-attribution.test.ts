import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Git } from '@main/adapters/git/command/git-command';
import { commitAll, git, Kit, movesOfFile } from '@main/adapters/git/testing/kit';
import { expect, onTestFinished, test } from 'vitest';
import type { LookedAfter, LookedBefore } from '../../contract/ports';
import { GitLoops } from './';
import { CommitTimes } from './bounds';

const moves = movesOfFile();
const DONE = '{"type":"turn.completed"}\n';
const plan = (passes: Record<string, boolean>): string =>
  `${JSON.stringify({ userStories: Object.entries(passes).map(([id, passed]) => ({ id, passes: passed })) })}\n`;

/** Another's ralph.sh, with attempts in immediate succession, examined after all of them. */
class Script {
  readonly kit = new Kit();
  readonly loops = new GitLoops(moves);
  readonly path = this.kit.project;
  readonly place = { cwd: this.path, folder: '.' };

  constructor(tracked = true) {
    this.kit.init('a.txt');
    writeFileSync(join(this.path, '.git', 'info', 'exclude'), 'logs\nprogress.txt\n', { flag: 'a' });
    this.write('progress.txt', '# Log\n');
    if (tracked) this.passes({ A: false, B: false });
    else this.write('.git/info/exclude', 'logs\nprogress.txt\nprd.json\n');
    this.write('b.txt', 'b');
    commitAll(this.path, 'plan');
    if (!tracked) this.passes({ A: false, B: false });
    mkdirSync(join(this.path, 'logs'), { recursive: true });
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.path, name), text);
  }

  passes(of: Record<string, boolean>): void {
    this.write('prd.json', plan(of));
  }

  /** Waits for the file system's clock to advance: in a real loop, close events are several ticks apart. */
  tick(): void {
    const probe = join(this.path, '.git', 'probe');
    const now = () => {
      writeFileSync(probe, '');
      return statSync(probe).mtimeMs;
    };
    for (const before = now(); now() === before; );
  }

  begin(iteration: number, thread = `T${iteration}`): void {
    this.tick();
    this.write(
      `logs/codex-iteration-${iteration}.jsonl`,
      `{"type":"thread.started","thread_id":"${thread}"}\n`,
    );
    this.tick();
  }

  end(iteration: number, message: string): void {
    this.write(`logs/codex-iteration-${iteration}-last-message.txt`, message);
    appendFileSync(join(this.path, `logs/codex-iteration-${iteration}.jsonl`), DONE);
  }

  commit(subject: string): string {
    this.write('work.txt', subject);
    commitAll(this.path, subject);
    return git(this.path, 'rev-parse', 'HEAD');
  }

  async look(): Promise<LookedBefore> {
    const looked = await this.loops.look(this.place);
    if (!looked.ok) throw new Error(looked.error.message);
    return looked.value;
  }

  async mark(iteration: number): Promise<string> {
    const logs = await this.loops.logs(this.place);
    return (
      (logs.ok && logs.value.find((log) => log.iteration === iteration && log.gone !== true)?.mark) || ''
    );
  }

  async examine(iteration: number, before: LookedBefore, mark?: string): Promise<LookedAfter> {
    const looked = await this.loops.examine(
      this.place,
      { iteration, before, mark: mark ?? (await this.mark(iteration)) },
      { logs: null, reader: { line: () => undefined } },
    );
    if (!looked.ok) throw new Error(looked.error.message);
    return looked.value;
  }

  /** The second attempt's comparison state: the first one's result. */
  after = ({ head, progressBytes, progressHash, text }: LookedAfter): LookedBefore => ({
    head,
    progressBytes,
    progressHash,
    text: text ?? null,
  });
}

const subjects = ({ commits }: LookedAfter) => commits.map(({ subject }) => subject);

test('each of two attempts has its own commits, stories and progress, although all of it is there at the look', async () => {
  const script = new Script();
  const before = await script.look();
  script.begin(1);
  script.passes({ A: true, B: false });
  appendFileSync(join(script.path, 'progress.txt'), '## A\n');
  script.commit('feat: A');
  script.end(1, 'Did A.');
  script.begin(2);
  script.passes({ A: true, B: true });
  script.commit('feat: B');
  script.commit('chore: B');
  script.end(2, 'Did B.');
  const first = await script.examine(1, before);
  expect(first).toMatchObject({ message: 'Did A.', rewritten: false, progress: '## A\n' });
  // No one observed whether prd.json changed again after the commit.
  expect(first.untold).toEqual(['plan']);
  expect([subjects(first), JSON.parse(first.text ?? '')]).toEqual([
    ['feat: A'],
    JSON.parse(plan({ A: true, B: false })),
  ]);
  const second = await script.examine(2, script.after(first));
  expect(second).toMatchObject({ message: 'Did B.', progress: '', untold: [] });
  expect([subjects(second), JSON.parse(second.text ?? '')]).toEqual([
    ['feat: B', 'chore: B'],
    JSON.parse(plan({ A: true, B: true })),
  ]);
});

test('uncommitted changes belong to the attempt before by their state when the next log appeared', async () => {
  const script = new Script(false);
  const before = await script.look();
  let heard = 0;
  const end = await script.loops.follow(script.place, () => {
    heard += 1;
  });
  onTestFinished(end);
  script.begin(1);
  script.passes({ A: true, B: false });
  appendFileSync(join(script.path, 'progress.txt'), '## A\n');
  script.end(1, 'Did A.');
  await expect.poll(() => heard).toBeGreaterThan(0);
  const known = heard;
  script.begin(2);
  await expect.poll(() => heard).toBeGreaterThan(known);
  script.passes({ A: true, B: true });
  appendFileSync(join(script.path, 'progress.txt'), '## B\n');
  script.end(2, 'Did B.');
  const first = await script.examine(1, before);
  expect(first).toMatchObject({ text: plan({ A: true, B: false }), progress: '## A\n', untold: [] });
  const second = await script.examine(2, script.after(first));
  expect(second).toMatchObject({ text: plan({ A: true, B: true }), progress: '## B\n', untold: [] });
});

test('the beginning of an attempt is seen also where a log of an earlier loop is written over', async () => {
  const script = new Script(false);
  for (const iteration of [1, 2]) {
    script.begin(iteration, 'yesterday');
    script.end(iteration, 'Old.');
  }
  await new Promise((resolve) => setTimeout(resolve, 120));
  const before = await script.look();
  let heard = 0;
  const end = await script.loops.follow(script.place, () => {
    heard += 1;
  });
  onTestFinished(end);
  const heardMore = async () => {
    const known = heard;
    await expect.poll(() => heard).toBeGreaterThan(known);
  };
  script.begin(1);
  await heardMore();
  script.passes({ A: true, B: false });
  script.tick();
  script.end(1, 'Did A.');
  await heardMore();
  script.begin(2);
  await heardMore();
  script.passes({ A: true, B: true });
  const first = await script.examine(1, before);
  expect(first).toMatchObject({ text: plan({ A: true, B: false }), untold: [] });
});

test('a message file that is older than its log is reported as such', async () => {
  const script = new Script();
  const before = await script.look();
  const old = (name: string, seconds: number) => {
    const time = Date.now() / 1000 - seconds;
    utimesSync(join(script.path, 'logs', name), time, time);
  };
  script.begin(1);
  script.end(1, 'Did A.');
  const looked = await script.examine(1, before);
  expect(looked.message).toBe('Did A.');
  expect(looked.messageLag).toBeLessThan(40_000);
  old('codex-iteration-1.jsonl', -60);
  expect((await script.examine(1, before)).messageLag).toBeGreaterThan(50_000);
  // The log was created only after that.
  old('codex-iteration-1-last-message.txt', 3_600);
  expect(await script.examine(1, before)).toMatchObject({ message: null });
});

test('changes without any evidence are left out of both attempts, and named', async () => {
  const script = new Script(false);
  const before = await script.look();
  script.begin(1);
  script.passes({ A: true, B: false });
  appendFileSync(join(script.path, 'progress.txt'), '## A\n');
  script.end(1, 'Did A.');
  script.begin(2);
  script.passes({ A: true, B: true });
  appendFileSync(join(script.path, 'progress.txt'), '## B\n');
  script.end(2, 'Did B.');
  const first = await script.examine(1, before);
  expect(first).toMatchObject({ text: undefined, progress: '', untold: ['plan', 'progress'] });
  expect(await script.examine(2, script.after(first))).toMatchObject({ progress: '', untold: [] });
});

test('a plan that was marked after the commit is certain in what was committed, and the rest is named', async () => {
  const script = new Script();
  const before = await script.look();
  script.begin(1);
  script.commit('feat: A');
  script.passes({ A: true, B: false });
  script.end(1, 'Did A.');
  script.begin(2);
  script.passes({ A: true, B: true });
  script.end(2, 'Did B.');
  const first = await script.examine(1, before);
  expect([subjects(first), first.untold]).toEqual([['feat: A'], ['plan']]);
  expect(JSON.parse(first.text ?? '')).toEqual(JSON.parse(plan({ A: false, B: false })));
});

test('commits without files of their own are told apart by their seconds, and those of the same second are not', async () => {
  const script = new Script();
  const before = await script.look();
  const at = (iteration: number) =>
    Math.floor(statSync(join(script.path, `logs/codex-iteration-${iteration}.jsonl`)).birthtimeMs / 1000);
  const commit = (subject: string, second: number) => {
    script.write('work.txt', subject);
    git(script.path, 'add', '-A');
    const env = { ...process.env, GIT_COMMITTER_DATE: `${second} +0000` };
    execFileSync(
      'git',
      ['-c', 'user.name=T', '-c', 'user.email=t@muster.invalid', 'commit', '-qm', subject],
      {
        cwd: script.path,
        env,
      },
    );
  };
  script.begin(1);
  script.end(1, 'Did A.');
  script.begin(2);
  commit('earlier', at(2) - 2);
  commit('same second', at(2));
  commit('later', at(2) + 2);
  git(script.path, 'repack', '-adq');
  git(script.path, 'prune-packed');
  const first = await script.examine(1, before);
  expect([subjects(first), first.untold]).toEqual([['earlier'], ['commits']]);
  expect(subjects(await script.examine(2, script.after(first)))).toEqual(['same second', 'later']);
});

test('a commit is before a moment only if its whole second is, to the last fraction of a millisecond', async () => {
  const script = new Script();
  const times = new CommitTimes(new Git(script.path), script.path);
  const packed = { full: 'f'.repeat(40), committed: 5 };
  const at = (moment: number) => times.when(packed, moment);
  expect(await Promise.all([4999, 5000, 5999, 5999.9995, 6000].map(at))).toEqual([
    'after',
    'unknown',
    'unknown',
    'unknown',
    'before',
  ]);
});

test('a commit that the next attempt amended is still its own', async () => {
  const script = new Script();
  const before = await script.look();
  script.begin(1);
  const own = script.commit('feat: A');
  script.end(1, 'Did A.');
  script.begin(2);
  git(script.path, 'commit', '-q', '--amend', '-m', 'feat: A, better');
  git(script.path, 'commit', '-q', '--allow-empty', '-m', 'feat: B');
  git(script.path, 'reset', '-q', '--soft', 'HEAD~2');
  git(script.path, 'commit', '-q', '-m', 'all in one');
  const first = await script.examine(1, before);
  expect(first).toMatchObject({ head: own, rewritten: false, untold: [] });
  const second = await script.examine(2, script.after(first));
  expect(second.rewritten).toBe(true);
});

test("an earlier loop's log that is still there is no next attempt, and one that is overwritten is", async () => {
  const script = new Script();
  script.begin(2, 'old');
  utimesSync(join(script.path, 'logs/codex-iteration-2.jsonl'), 1, 1);
  const before = await script.look();
  const later = (name: string, seconds: number) => {
    const time = Date.now() / 1000 + seconds;
    utimesSync(join(script.path, name), time, time);
  };
  script.begin(1);
  script.end(1, 'Did A.');
  later('logs/codex-iteration-1.jsonl', 10);
  script.commit('feat: A');
  const behind = script.commit('feat: B');
  later(`.git/objects/${behind.slice(0, 2)}/${behind.slice(2)}`, 15);
  expect(subjects(await script.examine(1, before))).toEqual(['feat: A', 'feat: B']);
  script.begin(2, 'new');
  later('logs/codex-iteration-2.jsonl', 20);
  // The new one's start is unknown: the first one counts as over when its own log was last written.
  expect(subjects(await script.examine(1, before))).toEqual(['feat: A']);
});

test('a log that was overwritten belongs to another attempt, and so does its message', async () => {
  const script = new Script();
  const before = await script.look();
  script.begin(1);
  const mark = await script.mark(1);
  script.commit('feat: A');
  script.begin(1, 'again');
  const first = await script.examine(1, before, mark);
  expect(first).toMatchObject({
    head: before.head,
    text: undefined,
    message: null,
    commits: [],
    progress: '',
    untold: ['log', 'commits', 'plan'],
  });
  expect(readFileSync(join(script.path, 'logs/codex-iteration-1.jsonl'), 'utf8')).toContain('again');
});
