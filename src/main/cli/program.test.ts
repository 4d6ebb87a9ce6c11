import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatePage } from '@areas/gates/contract/pages';
import { appError } from '@contract/errors';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FakeCore } from '../api/testing/fake-core';
import { commands } from './commands';
import { runProgram } from './program';
import { FakeLink } from './testing/fake-link';
import { fakeWorld } from './testing/fake-world';
import { program } from './testing/program';
import { answered, finished, gate, row, started, working } from './testing/story';

const gateRow = {
  runId: 1,
  runName: 'notes',
  gateId: 1,
  kind: 'approval',
  status: 'open',
  stepId: 'ok',
  stepTitle: null,
  agent: null,
  title: 'Fine?',
  message: 'Look at it.',
  evidence: null,
  request: null,
  options: gate.type === 'gate.opened' ? gate.options : [],
  why: null,
  openedAt: 1,
  closedAt: null,
  answer: null,
  by: null,
  snoozedUntil: null,
};

/** A core with one run that waits at a gate; an answer lets it continue. */
function waitingRun(kind: 'attached' | 'hosted' = 'attached', options: readonly object[] = gateRow.options) {
  const core: FakeCore = new FakeCore({
    'run.find': ({ name }: { name: string }) =>
      name === '1' ? row : { ok: false, error: appError('not_found', `there is no run ${name}`) },
    'run.get': () => ({ row, state: { seq: 3 } }),
    'run.list': () => ({ rows: [], more: false }),
    'run.events': ({ afterSeq }: { afterSeq: number }) => core.log.filter(({ seq }) => seq > afterSeq),
    'gate.list': ({ status }: { status: string }) => (status === 'closed' ? [] : [{ ...gateRow, options }]),
    'gate.resolve': ({ answer }: { answer: { option: string } }) => {
      const outcome = answer.option === 'reject' ? 'rejected' : 'succeeded';
      core.commit(1, [answered, ...finished(outcome)]);
      return { ...gateRow, status: 'resolved' };
    },
  });
  core.commit(1, [started, working, gate]);
  return { core, link: new FakeLink(core, kind) };
}

const resolved = (core: FakeCore) =>
  core.calls.filter(({ name }) => name === 'gate.resolve').map(({ input }) => input);

test('wrong usage exits with 2 and the usage of the command', async () => {
  expect(await program('list --what')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('usage: muster list [--status STATUS]'),
  });
  expect(await program('nothing')).toMatchObject({
    code: 2,
    err: expect.stringContaining('usage: muster COMMAND'),
  });
  expect(await program('')).toMatchObject({ code: 2, out: expect.stringContaining('Exit codes') });
  const json = await program('list --what --json');
  expect(JSON.parse(json.out)).toMatchObject({ error: { code: 'input.invalid' } });
});

test('help and version need no core', async () => {
  for (const { name, summary } of commands) {
    const help = await program(`${name} --help`);
    expect(help).toMatchObject({ code: 0, opened: [] });
    expect(help.out).toContain(`usage: muster ${name}`);
    expect(help.out).toContain(summary);
  }
  expect(await program('--version')).toMatchObject({ code: 0, out: '1.2.3\n' });
});

test('a core that cannot be reached exits with 7, and the folders are those of flags and environment', async () => {
  const none = await program('list');
  expect(none).toMatchObject({ code: 7, err: 'muster: none\n' });
  expect(none.opened).toEqual([
    { folders: { dataDir: '/data', dbPath: '/data/muster.db' }, options: { mode: 'reading' } },
  ]);
  const other = await program('list --data-dir /else --db /x.db');
  expect(other.opened[0]?.folders).toEqual({ dataDir: '/else', dbPath: '/x.db' });
});

test('an inbox without a question names the runs that were cut off and that nothing works on', async () => {
  const nothing = { decisions: [], replies: [], failures: [], pulls: [], waits: [], snoozed: 0, count: 0 };
  const listed = ({ status }: { status: string }) => ({
    rows: status === 'running' ? [row] : [],
    more: false,
  });
  const answers = { 'attention.list': () => nothing, 'run.list': listed };
  const cut = await program('inbox', new FakeLink(new FakeCore(answers), 'hosted'));
  expect(cut.out).not.toContain('Nothing needs you.');
  expect(cut.out).toMatch(/Parked: no Muster is working on these\n +1 /);
  expect(cut.out).toContain('muster resume 1');
  const working = new FakeLink(new FakeCore({ ...answers, 'run.live': () => [1] }));
  expect((await program('inbox', working)).out).toContain('Nothing needs you.');
});

test('an answer to a question in a terminal is typed there, although no option approves', async () => {
  const typed = ['type', 'keys'].map((id) => ({ id, label: id, effect: '', tone: 'neutral', needs: 'text' }));
  const { core, link } = waitingRun('attached', [
    ...typed,
    { id: 'end', label: 'End', effect: '', tone: 'reject' },
  ]);
  expect((await program('answer 1 yes', link)).code).toBe(0);
  expect(resolved(core)).toEqual([
    { runId: 1, gateId: 1, answer: { option: 'type', text: 'yes' }, by: 'command line' },
  ]);
});

test('approve and reject name the option by its kind, or as given', async () => {
  const said: [string, unknown][] = [
    ['approve 1', { option: 'approve' }],
    ['approve 1/1 --text "my words"', { option: 'approve', text: 'my words' }],
    ['approve 1/1 --option later', { option: 'later' }],
    ['reject 1 --reason "not yet"', { option: 'reject', reason: 'not yet' }],
  ];
  for (const [line, answer] of said) {
    const { core, link } = waitingRun();
    expect((await program(line, link)).code).toBe(0);
    expect(resolved(core)).toEqual([{ runId: 1, gateId: 1, answer, by: 'command line' }]);
  }
});

test('a reason is asked for only by answers that need one', async () => {
  const decline = { id: 'decline', label: 'Not now', effect: '', tone: 'reject' };
  const asking = waitingRun('attached', [decline]);
  expect((await program('reject 1', asking.link)).code).toBe(0);
  expect(resolved(asking.core)).toMatchObject([{ answer: { option: 'decline' } }]);
  const { core, link } = waitingRun();
  const refused = await program('reject 1', link);
  expect(refused.err).toContain('"Reject" needs a reason');
  expect(refused.err).toContain('muster reject 1/1 --reason TEXT');
  expect(resolved(core)).toEqual([]);
});

test('an unclear answer is not given', async () => {
  const { core, link } = waitingRun();
  for (const line of ['approve 2', 'approve 1/9', 'approve 1/x', 'reject 1', 'reject 1 --reason " "']) {
    expect([line, (await program(line, link)).code]).toEqual([line, 2]);
  }
  expect(resolved(core)).toEqual([]);
});

test('a run that is hosted here is taken up and followed, and gives the exit code', async () => {
  const approved = waitingRun('hosted');
  const { code, out } = await program('approve 1', approved.link);
  expect([code, approved.link.takenUp]).toEqual([0, [[1]]]);
  expect(out).toMatch(/ok +Fine\?: Approve, says test\n/);
  expect(out).not.toContain('waits for you');
  expect((await program('reject 1 --reason no', waitingRun('hosted').link)).code).toBe(4);
});

test('a core that is hosted here goes on for the other runs that work in it, however long they say nothing', async () => {
  const { link } = waitingRun('hosted');
  let others = [7];
  link.working = () => others;
  const { world, said } = fakeWorld(['approve', '1'], link);
  const ended = runProgram(world);
  await vi.waitFor(() => expect(said.err).toContain('Still working here on run 7'), 30_000);
  others = [];
  expect(await ended).toBe(0);
});

test('a query is repeated at the next core where one ends before it answers', async () => {
  const lists = { 'run.list': () => ({ rows: [row], more: false }) };
  const dying: FakeLink = new FakeLink(
    new FakeCore({
      'run.list': () => {
        dying.lose();
        return { ok: false, error: appError('unavailable', 'this Muster is shutting down') };
      },
    }),
  );
  const { world, said } = fakeWorld(['list', '--json'], [dying, new FakeLink(new FakeCore(lists))]);
  expect(await runProgram(world)).toBe(0);
  expect(JSON.parse(said.out)).toMatchObject({ runs: [row] });
});

test('a core of another version that does not know a call cannot be used', async () => {
  const error = appError('input.invalid', 'there is no procedure "run.list"');
  const older = new FakeLink(new FakeCore({ 'run.list': () => ({ ok: false, error }) }));
  const { code, err } = await program('list', older);
  expect([code, err]).toEqual([7, expect.stringContaining('use the same version of Muster for both')]);
});

test('a run that an open window may go on with is not simply called parked', async () => {
  for (const guests of [0, 1]) {
    const { core, link } = waitingRun('hosted');
    link.guests = () => guests;
    const { world, said, stop } = fakeWorld(['resume', '1', '--wait'], link);
    const ended = runProgram(world);
    await vi.waitFor(() => expect(core.calls.some(({ name }) => name === 'run.events')).toBe(true), 30_000);
    stop.abort();
    expect(await ended).toBe(130);
    expect(said.out).toContain(guests === 0 ? 'Run 1 is parked.' : 'such as an open window, may continue it');
    expect(said.out).toContain(guests === 0 ? 'muster resume 1' : 'muster cancel 1');
  }
});

test('all gates are listed, however many pages they are', async () => {
  const many = Array.from({ length: 1_250 }, (_, index) => ({
    ...gateRow,
    gateId: index + 1,
    openedAt: index,
    event: index,
  }));
  const list = ({ limit = 200, after }: GatePage) => {
    const from = after === undefined ? 0 : after.event + 1;
    return many.slice(from, from + limit);
  };
  const { out } = await program('gates', new FakeLink(new FakeCore({ 'gate.list': list })));
  expect(out.match(/^Gate 1\/\d+ /gm)).toHaveLength(1_250);
});

test('gates are shown with the exact command for each answer', async () => {
  const { link } = waitingRun();
  const { out } = await program('gates --data-dir "/my data"', link);
  expect(out).toContain("    muster approve 1/1 --data-dir '/my data'\n");
  expect(out).toContain("    muster reject 1/1 --reason TEXT --data-dir '/my data'\n");
  expect(out).toContain("    muster approve 1/1 --option later --data-dir '/my data'\n");
});

test('a permission request whose turn was cut off names the question to answer first', async () => {
  const listed = [
    { ...gateRow, kind: 'permission', sessionId: 3 },
    { ...gateRow, gateId: 2, kind: 'interrupted_turn', sessionId: 3 },
    { ...gateRow, gateId: 3, kind: 'permission', sessionId: 4 },
  ];
  const { out } = await program('gates', new FakeLink(new FakeCore({ 'gate.list': () => listed })));
  expect(out.match(/^ {2}Its turn was cut off\. First answer 1\/2\.$/gm)).toHaveLength(1);
  expect(out.indexOf('First answer')).toBeLessThan(out.indexOf('Gate 1/2'));
});

test('a run of a file that is not valid shows all problems and starts nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'w.yaml'), '');
  const problems = [1, 2].map((line) => ({
    severity: 'error',
    code: 'validation.config',
    message: `wrong ${line}`,
    where: { file: 'w.yaml', line },
  }));
  const core = new FakeCore({
    'project.add': () => ({ id: 1, path: folder, name: 'p', addedAt: 1, trouble: null }),
    'workflow.get': () => ({
      projectId: 1,
      projectName: 'p',
      file: 'w.yaml',
      name: 'w',
      description: null,
      steps: [],
      problems,
      runnable: false,
      changedAt: 1,
      text: '',
      absolutePath: '',
      definition: null,
      ports: {},
    }),
  });
  const { code, err } = await program(`run ${folder}/w.yaml`, new FakeLink(core));
  expect(code).toBe(3);
  expect(err).toBe(
    'w.yaml:1: error: wrong 1 [validation.config]\nw.yaml:2: error: wrong 2 [validation.config]\n',
  );
  expect(core.calls.map(({ name }) => name)).toEqual(['project.add', 'workflow.get', 'system.status']);
  expect((await program(`run ${folder}/none.yaml`, new FakeLink(core))).code).toBe(2);
});

test('a bug exits with 70, a stop by the operator with 130, and both close the core', async () => {
  const broken = new FakeLink(
    new FakeCore({
      'run.list': () => {
        throw new Error('broken');
      },
    }),
  );
  expect(await program('list', broken)).toMatchObject({ code: 70, err: expect.stringContaining('broken') });
  const slow = new FakeLink(new FakeCore({}, () => new Promise(() => undefined)));
  const { world, stop } = fakeWorld(['agents'], slow);
  const ended = runProgram(world);
  setTimeout(() => stop.abort(), 10);
  expect(await ended).toBe(130);
  expect([broken.closed, slow.closed]).toEqual([true, true]);
  const { core, link } = waitingRun();
  link.close = () => Promise.reject(new Error('the disk is gone'));
  expect(await program('approve 1', link)).toMatchObject({
    code: 0,
    out: expect.stringContaining('approve'),
    err: expect.stringContaining('the disk is gone'),
  });
  expect(resolved(core)).toHaveLength(1);
});

const busy = { state: 'running', since: 0, detail: null, pid: 1, restarts: 0 };
const statusWithNotice = {
  core: busy,
  ptyHost: { state: 'none', since: 0, detail: null },
  store: { state: 'ok', since: 0, detail: null, path: '/db', bytes: 0 },
  live: { runs: 0, sessions: 0, turns: 0, commands: 0, gates: 0 },
  spendToday: { tokens: 0, costUsd: 0, untoldTurns: 0, costUnreported: 0 },
  next: null,
  notices: [{ id: 'damaged', level: 'error', text: 'The database was set aside.' }],
};

test.each(['list', 'list --json'])(
  'the command "%s" after a damaged database was set aside says so, with code 8',
  async (words) => {
    const core = new FakeCore({
      'run.list': () => ({ rows: [], more: false }),
      'system.status': () => statusWithNotice,
    });
    expect(await program(words, new FakeLink(core))).toMatchObject({
      code: 8,
      err: 'error: The database was set aside.\n',
    });
  },
);

test('a clock before 1970 is reported as such, before anything is opened', async () => {
  vi.spyOn(Date, 'now').mockReturnValue(-1000);
  onTestFinished(() => void vi.restoreAllMocks());
  const { code, err, opened } = await program('list', waitingRun().link);
  expect([code, opened]).toEqual([7, []]);
  expect(err).toContain('The clock of this machine is set to a time before 1970.');
  expect(err).not.toContain('    at ');
});

test('equal questions are listed once, and answered alike, with the result of each', async () => {
  const asked = [1, 2, 3].map((gateId) => ({ ...gateRow, gateId, cause: gateId === 2 ? 'other' : 'same' }));
  const core = new FakeCore({
    'run.find': () => row,
    'run.get': () => ({ row, state: { seq: 3 } }),
    'gate.list': ({ status }: { status: string }) => (status === 'closed' ? [] : asked),
    'gate.resolveAlike': () => ({
      answered: [{ ...asked[0], status: 'resolved' }],
      refused: [
        { runId: 1, gateId: 3, title: 'Fine?', error: appError('gate.already_resolved', 'it was withdrawn') },
      ],
    }),
  });
  const link = new FakeLink(core, 'attached');
  const { out } = await program('gates', link);
  expect(out.match(/^Gate 1\//gm)).toHaveLength(2);
  expect(out).toContain('The same question waits 1 more time; add --all-alike to an answer of 1/1:\n    1/3');
  const done = await program('reject 1/3 --reason "too long" --all-alike', link);
  expect(done.code).toBe(1);
  expect(core.calls.find(({ name }) => name === 'gate.resolveAlike')).toMatchObject({
    input: {
      gates: [
        { runId: 1, gateId: 3 },
        { runId: 1, gateId: 1 },
      ],
      answer: { option: 'reject', reason: 'too long' },
    },
  });
  expect(done.out).toBe(
    'Gate 1/1 (Fine?): Reject.\nGate 1/3 (Fine?) not answered: it was withdrawn.\nAnswered 1 of 2.\n',
  );
});
