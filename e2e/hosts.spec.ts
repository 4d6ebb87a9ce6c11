/** A run on a remote host: an ssh server of the test that runs real commands, and the real ssh and git. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HOST_NODE } from '@main/core-host/wiring/hosts';
import { hostNode } from '@main/remote-host/testing/host-node';
import { HostStage, hasSsh } from '@main/remote-host/testing/stage';
import { Cli } from './fixtures/cli';
import { makeProject } from './fixtures/project';
import { expect, test } from './fixtures/test';

const NODE = hostNode(HOST_NODE);
test.skip(!hasSsh || NODE === null, `needs ssh, and Node ${HOST_NODE} for the host`);

let stage: HostStage;
test.beforeEach(async () => {
  stage = await HostStage.open({ node: NODE ?? '' });
});
test.afterEach(() => stage.close());

const workflow = (script: string, more = '') => `name: train
host: gpu1
steps:
  - id: train
    type: step.command
${more}    config:
      terminal: false
      script: |
${script.replace(/^/gm, '        ')}
`;

/** The command line in a project, with a host. */
async function projectWith(dataDir: string, file: string) {
  const project = makeProject({ 'a.txt': 'hello\n', 'b.txt': 'bye\n', '.muster/workflows/train.yaml': file });
  const cli = new Cli(dataDir, project);
  const start = (...words: string[]) => cli.startIn({ PATH: stage.searchPath() }, ...words);
  expect(await start('hosts', 'add', 'gpu1').done).toMatchObject({ code: 0 });
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' });
  return { project, start, git };
}

/** The folder of the only run there. */
function folderThere(): string | null {
  const work = join(stage.home, '.muster-host', 'work');
  const [owner] = existsSync(work) ? readdirSync(work) : [];
  const [folder] = owner === undefined ? [] : readdirSync(join(work, owner));
  return owner === undefined || folder === undefined ? null : join(work, owner, folder);
}
function there(name: string): string {
  const path = join(folderThere() ?? '', name);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
const go = () => writeFileSync(join(stage.home, 'go'), '');

/** The only file of a command's output here. */
function outputHere(dataDir: string): string {
  const [uid = ''] = readdirSync(join(dataDir, 'artifacts'));
  return readFileSync(join(dataDir, 'artifacts', uid, 'commands', 'c1.log'), 'utf8');
}

test('a command step runs on its host through a cut, and its result is applied like a local one', async ({
  cli,
}) => {
  const script = `for n in $(seq 1 40); do echo "line $n" | tee -a lines.txt; done
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
for n in $(seq 41 80); do echo "line $n" | tee -a lines.txt; done
rm b.txt; echo more >> a.txt; echo model > model.bin
git -c user.name=G -c user.email=g@example.invalid commit -q -m "Remove b" b.txt
echo done > end.txt`;
  const { project, start, git } = await projectWith(cli.dataDir, workflow(script));
  const run = start('run', '.muster/workflows/train.yaml');
  await expect.poll(() => there('lines.txt')).toContain('line 40');
  stage.proxy.cut();
  go();
  await expect.poll(() => there('end.txt')).toBe('done\n');
  await expect.poll(() => stage.refused()).toBeGreaterThan(0);
  const told = async () => (await start('status').done).out;
  await expect.poll(told).toMatch(/Connection to gpu1 lost at \d\d:\d\d; work continues there/);
  stage.proxy.mend();
  expect(await run.done).toMatchObject({ code: 0 });
  const lines = Array.from({ length: 80 }, (_, n) => `line ${n + 1}\n`).join('');
  expect([outputHere(cli.dataDir), there('lines.txt')]).toEqual([lines, lines]);
  const folder = folderThere() ?? '';
  expect(await start('hosts', 'clean', 'gpu1').done).toMatchObject({
    code: 0,
    out: expect.stringContaining('train-'),
  });
  expect([existsSync(folder), folderThere()]).toEqual([false, null]);
  expect(await start('apply', '1').done).toMatchObject({ code: 0 });
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '--all', '--format=%s')).toContain('Remove b');
  expect(readdirSync(project).toSorted()).toEqual(
    ['.git', '.muster', 'README.md', 'a.txt', 'end.txt', 'lines.txt', 'model.bin'].toSorted(),
  );
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('hello\nmore\n');
});

test('a cut while the result of a command is fetched is waited for, and the result arrives', async ({
  cli,
}) => {
  const upload = join(stage.home, 'upload');
  const fetching = join(stage.home, 'fetching');
  const [realGit] = ['/usr/bin/git', '/usr/local/bin/git', '/opt/homebrew/bin/git'].filter(existsSync);
  stage.provide(
    'git-upload-pack',
    `#!/bin/sh\ntouch '${fetching}'\nwhile [ ! -e '${upload}' ]; do sleep 0.05; done\nexec ${realGit} upload-pack "$@"\n`,
  );
  const { project, start } = await projectWith(cli.dataDir, workflow('echo far > far.txt'));
  const run = start('run', '.muster/workflows/train.yaml');
  await expect.poll(() => existsSync(fetching)).toBe(true);
  stage.proxy.cut();
  const told = async () => (await start('status').done).out;
  await expect.poll(told).toMatch(/Connection to gpu1 lost at \d\d:\d\d/);
  writeFileSync(upload, '');
  stage.proxy.mend();
  expect(await run.done).toMatchObject({ code: 0 });
  expect(await start('apply', '1').done).toMatchObject({ code: 0 });
  expect(readFileSync(join(project, 'far.txt'), 'utf8')).toBe('far\n');
});

test('a command on a host ends with its killed core before it runs again', async ({ cli }) => {
  const script = `echo "start" >> "$HOME/log"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done
echo "end" | tee -a "$HOME/log"`;
  const { start } = await projectWith(cli.dataDir, workflow(script, '    on_interrupt: retry\n'));
  const log = () =>
    existsSync(join(stage.home, 'log')) ? readFileSync(join(stage.home, 'log'), 'utf8') : '';
  const run = start('run', '.muster/workflows/train.yaml');
  await expect.poll(log).toBe('start\n');
  stage.proxy.cut();
  run.child.kill('SIGKILL');
  await run.done;
  stage.proxy.mend();
  const resumed = start('resume', '1');
  await expect.poll(log).toBe('start\nstart\n');
  go();
  expect(await resumed.done).toMatchObject({ code: 0 });
  expect(log()).toBe('start\nstart\nend\n');
});

test('a host that stays lost opens a question, and work counted as interrupted is ended there later', async ({
  cli,
}) => {
  const script = `echo $$ > "$HOME/pid"
while [ ! -e "$HOME/go" ]; do sleep 0.05; done`;
  const file = workflow(script, '    on_interrupt: fail\n').replace(
    'host: gpu1',
    'host: gpu1\nlost_after: 1s',
  );
  const { start } = await projectWith(cli.dataDir, file);
  const run = start('run', '.muster/workflows/train.yaml');
  const pid = () =>
    Number(existsSync(join(stage.home, 'pid')) ? readFileSync(join(stage.home, 'pid'), 'utf8') : 0);
  await expect.poll(pid).toBeGreaterThan(0);
  stage.proxy.cut();
  const gates = async () => (await start('gates').done).out;
  await expect.poll(gates).toContain('gpu1 has not been reached for');
  expect(alive(pid())).toBe(true);
  expect(run.out()).toMatch(/connection to gpu1 lost at \d\d:\d\d.*; work continues there/);
  const [, gate = ''] = /\b(1\/\d+)\b/.exec(await gates()) ?? [];
  expect(await start('choose', gate, 'interrupt').done).toMatchObject({ code: 0 });
  await expect.poll(run.out).toContain('interrupted');
  expect(alive(pid())).toBe(true);
  stage.proxy.mend();
  expect(await run.done).toMatchObject({ code: 1 });
  expect(await start('hosts', 'test', 'gpu1').done).toMatchObject({ code: 0 });
  await expect.poll(() => alive(pid())).toBe(false);
});

test('work that changed here during a command is kept, and so is what the host made', async ({ cli }) => {
  const script = 'while [ ! -e "$HOME/go" ]; do sleep 0.05; done\necho there > new.txt';
  const { start, git } = await projectWith(cli.dataDir, workflow(script));
  const run = start('run', '.muster/workflows/train.yaml');
  await expect.poll(folderThere).not.toBeNull();
  const worktrees = join(cli.dataDir, 'worktrees');
  const here = join(worktrees, readdirSync(worktrees)[0] ?? '');
  await expect.poll(() => run.out()).toContain('while [');
  writeFileSync(join(here, 'a.txt'), 'edited here\n');
  go();
  expect(await run.done).toMatchObject({ code: 1, out: expect.stringContaining('changed here while') });
  expect(readFileSync(join(here, 'a.txt'), 'utf8')).toBe('edited here\n');
  const [ref] = git('for-each-ref', '--format=%(refname)', 'refs/muster')
    .split('\n')
    .filter((one) => one.includes('/host-'));
  expect(git('show', `${ref}:new.txt`)).toBe('there\n');
});

test('what cannot be on a host is refused before the run, with its line', async ({ cli }) => {
  const shown = '\n  - id: write\n    type: step.command\n    config: { script: make }\n';
  const { start } = await projectWith(cli.dataDir, `${workflow('true')}${shown}`);
  expect(await start('validate', '.muster/workflows/train.yaml').done).toMatchObject({
    code: 3,
    out: expect.stringMatching(
      /train\.yaml:11: error: step "write" \(step\.command\) cannot run on the host "gpu1"/,
    ),
  });
});

test('an agent works on its host through a cut, its prompt is sent once, and its work is applied', async ({
  cli,
}) => {
  const replies = join(stage.root, 'replies.yaml');
  writeFileSync(
    replies,
    `default:
  do:
    - write: { path: far.txt, content: "made there\\n", via: direct }
    - say: "Waiting. "
    - wait_for_file: ${join(stage.home, 'go')}
    - run: { command: "echo ran >> ran.txt; rm b.txt" }
  text: Finished {{turn}}.
`,
  );
  const record = join(stage.root, 'record');
  const agent = join(import.meta.dirname, '..', 'out', 'main', 'scripted-agent.js');
  const settings = Object.entries({ SCRIPT: replies, STATE: join(stage.root, 'state'), RECORD: record });
  const exports = settings.map(([name, path]) => `export MUSTER_SCRIPTED_${name}='${path}'`).join('\n');
  stage.provide('far-agent', `#!/bin/sh\n${exports}\nexec node '${agent}'\n`);
  const file = `name: write
host: gpu1
steps:
  - id: write
    type: step.agent_task
    config: { acp_profile_id: far, instruction: Write it }
`;
  const { project, start, git } = await projectWith(cli.dataDir, file);
  const added = [
    'agents',
    'add',
    'far',
    '--kind',
    'acp',
    '--command',
    'far-agent',
    '--permissions',
    'allow_all',
  ];
  expect(await start(...added).done).toMatchObject({ code: 0 });
  const run = start('run', '.muster/workflows/train.yaml');
  await expect.poll(() => there('far.txt')).toBe('made there\n');
  stage.proxy.cut();
  await expect.poll(() => stage.refused()).toBeGreaterThan(0);
  writeFileSync(join(stage.home, 'go'), '');
  await expect.poll(() => there('ran.txt')).toBe('ran\n');
  stage.proxy.mend();
  expect(await run.done).toMatchObject({ code: 0 });
  const prompts = readFileSync(record, 'utf8').trim().split('\n');
  expect([prompts.length, there('ran.txt')]).toEqual([1, 'ran\n']);
  const said = (await start('show', '1', '--json').done).out;
  expect(said).toContain('Finished 1.');
  expect(await start('apply', '1').done).toMatchObject({ code: 0 });
  expect(git('status', '--porcelain')).toBe('');
  expect(readFileSync(join(project, 'far.txt'), 'utf8')).toBe('made there\n');
  expect(existsSync(join(project, 'b.txt'))).toBe(false);
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
