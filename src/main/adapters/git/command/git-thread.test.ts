import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundle } from '../../process/testing/bundle';
import { Git, GitError } from './git-command';
import { GitThread } from './git-thread';

let entry: URL;
let folder: string;
beforeAll(async () => {
  entry = pathToFileURL(await bundle('src/main/core-host/git-thread.ts', 'git-thread'));
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-git-thread-')));
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
  writeFileSync(join(folder, 'large'), 'a line\n'.repeat(200_000));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const threaded = (at = entry): { thread: GitThread; git: Git } => {
  const thread = new GitThread(at);
  onTestFinished(() => thread.close());
  return { thread, git: new Git(folder, thread) };
};
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

test('a git thread gives the same results as git here, with input, folder and environment', async () => {
  const here = new Git(folder);
  const { git } = threaded();
  const calls = (by: Git) =>
    Promise.all([
      by.text('rev-parse', '--show-toplevel'),
      by.text('hash-object', 'large'),
      by.bytes(['hash-object', '--stdin'], { input: Buffer.from('\xff\0é', 'latin1') }).then(String),
      by.records(['ls-files', '-z', '-o']),
      by.with({ GIT_AUTHOR_NAME: 'Somebody' }).text('var', 'GIT_AUTHOR_IDENT'),
      by.maybe('rev-parse', '--verify', '--quiet', 'HEAD'),
    ]);
  const [theirs, ours] = [await calls(git), await calls(here)];
  const untimed = (all: typeof ours) => all.map((one) => String(one).replace(/ \d{10} .*/, ''));
  expect(untimed(theirs)).toEqual(untimed(ours));
});

test('a git thread says why git failed, with its code, and that a folder does not exist', async () => {
  const { git } = threaded();
  const failed = await failure(git.text('rev-parse', 'nothing'));
  expect(failed).toBeInstanceOf(GitError);
  expect(failed).toMatchObject({ code: 128, message: expect.stringContaining('nothing') });
  expect(await failure(git.at(join(folder, 'gone')).text('status'))).toMatchObject({ code: null });
});

test('a stream comes whole and in order, one chunk at a time, until it is enough', async () => {
  const { git } = threaded();
  const object = await git.text('hash-object', '-w', 'large');
  const read = async (until: number) => {
    const chunks: Buffer[] = [];
    let atOnce = 0;
    await git.stream(['cat-file', 'blob', object], async (chunk) => {
      atOnce += 1;
      expect(atOnce).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
      chunks.push(chunk);
      return chunks.length < until;
    });
    return chunks;
  };
  expect(Buffer.concat(await read(Number.POSITIVE_INFINITY)).toString()).toBe('a line\n'.repeat(200_000));
  expect(await read(2)).toHaveLength(2);
});

test('an error that the consumer of a stream throws is the result of the call', async () => {
  const { git } = threaded();
  const object = await git.text('hash-object', '-w', 'large');
  const full = new Error('no space left');
  expect(await failure(git.stream(['cat-file', 'blob', object], () => Promise.reject(full)))).toBe(full);
});

test('calls in flight fail when the git thread ends, and the next call starts it again', async () => {
  const { thread, git } = threaded();
  const before = failure(git.text('version'));
  thread.close();
  expect(await before).toBeInstanceOf(GitError);
  expect(await git.text('version')).toContain('git version');
});

test('each call fails when the git thread cannot be started', async () => {
  const { git } = threaded(new URL('no-such-thread.js', entry));
  expect(await failure(git.text('version'))).toBeInstanceOf(GitError);
  expect(await failure(git.text('version'))).toBeInstanceOf(GitError);
});

test('a git thread looks for git, and for what git starts, on the given search path', async () => {
  const tools = mkdtempSync(join(tmpdir(), 'muster-git-path-'));
  onTestFinished(() => rmSync(tools, { recursive: true, force: true }));
  writeFileSync(join(tools, 'git'), '#!/bin/sh\necho the one on that path\n', { mode: 0o755 });
  const thread = new GitThread(entry, async () => tools);
  onTestFinished(() => thread.close());
  expect(await new Git(folder, thread).text('version')).toBe('the one on that path');
});

/** A git that hangs only in its first call, and a thread for it that can be killed. */
async function mortal(): Promise<{ thread: GitThread; calls: () => string[]; die: () => void }> {
  const tools = realpathSync(mkdtempSync(join(tmpdir(), 'muster-git-mortal-')));
  onTestFinished(() => rmSync(tools, { recursive: true, force: true }));
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh
echo "$$" >> ${tools}/calls
[ "$(wc -l < ${tools}/calls)" -gt 1 ] && exec ${real} "$@"
while :; do sleep 0.05; done
`;
  writeFileSync(join(tools, 'git'), script, { mode: 0o755 });
  process.env.MUSTER_TEST_THREAD_DIES = join(tools, 'die');
  const entry = await bundle('src/main/adapters/git/testing/mortal-thread.ts', 'mortal-thread');
  const thread = new GitThread(pathToFileURL(entry), async () => `${tools}:${process.env.PATH}`);
  onTestFinished(() => thread.close());
  const calls = () =>
    existsSync(join(tools, 'calls')) ? readFileSync(join(tools, 'calls'), 'utf8').trim().split('\n') : [];
  return { thread, calls, die: () => writeFileSync(join(tools, 'die'), '') };
}

const lives = (pid: number): boolean => {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !line.slice(line.lastIndexOf(')') + 2).startsWith('Z');
  } catch {
    return false;
  }
};

const onLinux = test.skipIf(process.platform !== 'linux');

onLinux('what only reads is done once more where its thread dies, and not beside the first git', async () => {
  const { thread, calls, die } = await mortal();
  const top = new Git(folder, thread).text('rev-parse', '--show-toplevel');
  await expect.poll(calls).toHaveLength(1);
  die();
  expect(await top).toBe(folder);
  expect(calls()).toHaveLength(2);
  expect(lives(Number(calls()[0]))).toBe(false);
});

onLinux(
  'what changes the repository is not done twice where its thread dies; the failure names the thread',
  async () => {
    const { thread, calls, die } = await mortal();
    const made = failure(new Git(folder, thread).text('update-ref', 'refs/heads/x', 'HEAD'));
    await expect.poll(calls).toHaveLength(1);
    die();
    expect(await made).toMatchObject({
      code: null,
      cutOff: true,
      message: "Muster's thread for git ended with 3. Muster starts a new one.",
    });
    expect(calls()).toHaveLength(1);
  },
);

onLinux('what only reads is done once more where git itself is killed', async () => {
  const { thread, calls } = await mortal();
  const top = new Git(folder, thread).text('rev-parse', '--show-toplevel');
  await expect.poll(calls).toHaveLength(1);
  process.kill(Number(calls()[0]), 'SIGKILL');
  expect(await top).toBe(folder);
});
