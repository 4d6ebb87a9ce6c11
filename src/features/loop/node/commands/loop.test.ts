import { appError } from '@contract/errors';
import { coreProcedures } from '@contract/ipc';
import { FakeCore } from '@main/api/testing/fake-core';
import { runRow } from '@main/api/testing/run-row';
import { EXIT } from '@main/cli/exit';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { expect, test } from 'vitest';
import type { LoopRow } from '../../contract/summary';
import { LoopHarness, passed } from '../../core/testing/loop';

const loop: LoopRow = {
  runUid: 'u',
  stepId: 'loop',
  title: 'Loop',
  projectId: 1,
  since: 1,
  live: true,
  resumable: false,
  pauseRequested: false,
  watched: false,
  runner: null,
  folder: '.',
  workerId: 'fake',
  worker: 'Fake',
  story: null,
  skipped: 0,
  attempts: 1,
  openGates: 0,
  startedAt: 1,
  finishedAt: null,
  results: { completed: 1, blocked: 0, failed: 0, 'no-op': 0 },
  runId: 3,
  activationId: 1,
  runName: 'Loop: ralph/x',
  projectName: 'shop',
  phase: 'working',
  branch: 'ralph/x',
  iteration: 2,
  of: 10,
  retry: 1,
  passing: 1,
  stories: 4,
  tokens: 120,
  costUsd: 0,
};

const row = runRow({ id: 3, name: 'Loop: ralph/x', projectName: 'shop' });

async function runOf({ begun = true } = {}) {
  const harness = new LoopHarness();
  harness.deeds = [passed('US-001'), { hang: true }];
  if (begun) await harness.loop();
  else await harness.run({ steps: [{ id: 'a', type: 'step.approval', config: { message: 'go on?' } }] });
  return { row, state: harness.state() };
}

const answers = {
  'loop.list': () => ({ rows: [loop], more: false }),
  'loop.start': () => ({ runId: 3 }),
  'loop.pause': () => ({}),
  'run.cancel': () => ({}),
  'run.find': ({ name }: { name: string }) =>
    name === '3' ? row : { ok: false, error: appError('not_found', `there is no run ${name}`) },
};

async function program(...args: string[]) {
  return programOf({}, ...args);
}

async function programOf(more: Record<string, () => unknown>, ...args: string[]) {
  const core = new FakeCore({ ...answers, ...more });
  const { world, said } = fakeWorld(['loop', ...args], new FakeLink(core));
  const code = await runProgram(world);
  return { code, ...said, calls: core.calls };
}

test('loops are listed with their iteration and stories', async () => {
  const { code, out } = await program('list');
  expect(code).toBe(EXIT.ok);
  expect(out).toMatch(/3 +working +2\/10 \(retry 1\) +1\/4 +120 +shop +ralph\/x +Loop: ralph\/x/);
});

test.each([
  [['dance', '3'], 'start FOLDER, watch FOLDER, list'],
  [['show'], 'loop show takes RUN'],
  [['list', '3'], 'loop list takes no words'],
])('the arguments %j are wrong usage and name the known ones', async (args, words) => {
  const { code, err } = await program(...args);
  expect(code).toBe(EXIT.usage);
  expect(err).toContain(words);
});

test('a log of an attempt is printed page by page', async () => {
  const run = await runOf();
  const pages = ['one\n', 'two\n'];
  const log = ({ from }: { from: number }) => ({
    path: '/logs/x',
    text: pages[from / 4] ?? '',
    from,
    to: from + 4,
    size: 8,
    overwritten: false,
  });
  const more = { 'run.get': () => run, 'loop.log': log as () => unknown };
  const shown = await programOf(more, 'log', '3', '1', '--file', 'stderr');
  expect([shown.code, shown.out]).toEqual([EXIT.ok, 'one\ntwo\n']);
  expect(shown.calls.filter(({ name }) => name === 'loop.log')).toMatchObject([
    { input: { runId: 3, activationId: 1, attemptId: 1, which: 'stderr', from: 0 } },
    { input: { from: 4 } },
  ]);
  expect((await programOf(more, 'log', '3', '9')).err).toContain('run 3 has no attempt 9');
  expect((await programOf(more, 'log', '3', '--file', 'x')).code).toBe(EXIT.usage);
});

test('the process of a watched loop is named, and only of a watched one', async () => {
  const run = await runOf();
  const { state } = run;
  const loops = Object.fromEntries(
    Object.entries(state.loops).map(([id, one]) => [id, { ...one, watch: {} }]),
  );
  const watched = { ...run, state: { ...state, loops } };
  const more = { 'loop.nameRunner': () => ({}) };
  const named = await programOf({ ...more, 'run.get': () => watched }, 'runner', '3', '4711');
  expect(named.code).toBe(EXIT.ok);
  expect(named.calls).toContainEqual({
    name: 'loop.nameRunner',
    input: { runId: 3, activationId: 1, pid: 4711 },
  });
  const other = await programOf({ ...more, 'run.get': () => run }, 'runner', '3', '4711');
  expect(other.err).toContain('run 3 watches no loop');
});

test('the command show prints the attempts of a loop, and says where a run has none', async () => {
  const run = await runOf();
  const shown = await programOf({ 'run.get': () => run }, 'show', '3');
  expect(shown.code).toBe(EXIT.ok);
  expect(shown.out).toContain('US-001');
  const other = await runOf({ begun: false });
  const none = await programOf({ 'run.get': () => other }, 'show', '3');
  expect(none.code).not.toBe(EXIT.ok);
  expect(none.err).toContain('run 3 has no loop');
});

test('the command pause lets the loop that works wait, and refuses a run without one', async () => {
  const run = await runOf();
  const paused = await programOf({ 'run.get': () => run }, 'pause', '3');
  expect(paused.code).toBe(EXIT.ok);
  expect(paused.out).toContain('will wait for you after this iteration');
  expect(paused.calls).toContainEqual({
    name: 'loop.pause',
    input: { runId: 3, activationId: 1, by: 'command line' },
  });
  const other = await runOf({ begun: false });
  const none = await programOf({ 'run.get': () => other }, 'pause', '3');
  expect(none.err).toContain('no loop to pause');
  expect(none.calls.some(({ name }) => name === 'loop.pause')).toBe(false);
});

test.each(['show', 'pause', 'stop', 'resume', 'continue', 'skip'])(
  'the command `loop %s` of a missing run fails and changes nothing',
  async (verb) => {
    const { code, err, calls } = await program(verb, '9');
    expect(code).not.toBe(EXIT.ok);
    expect(err).not.toBe('');
    expect(calls.filter(({ name }) => /start|pause|cancel|resume|resolve/.test(name))).toEqual([]);
  },
);

test('resume without words in its text is refused before anything is asked', async () => {
  const { code, err, calls } = await program('resume', '3', '--text', ' ');
  expect(code).toBe(EXIT.usage);
  expect(err).toContain('needs a text');
  expect(calls).toEqual([]);
});

const preview = {
  file: 'prd.json',
  problems: [],
  branch: null,
  repository: null,
  plan: { state: 'none' },
  readFrom: { kind: 'file', name: 'prd.json' },
};

const STRANGE = [
  ...['0', '-1', '0.5', '1e300', '1e999', '-1e300', 'NaN', 'Infinity', '', ' ', 'constructor', '__proto__'],
  ...['toString', '525601', '1e17', '9007199254740993'],
];

test.each(['iterations', 'minutes', 'attempt-minutes', 'tokens', 'pid'])(
  'any value of --%s is refused or gives a request that the core accepts',
  async (flag) => {
    for (const value of STRANGE) {
      const started: unknown[] = [];
      const keep = (input?: unknown) => {
        started.push(input);
        return { ok: false, error: appError('conflict', 'enough') };
      };
      const more = {
        'loop.start': keep,
        'loop.watch': keep,
        'loop.preview': () => preview,
        'project.add': () => ({ id: 1, path: process.cwd(), name: 'p', addedAt: 1, trouble: null }),
      };
      const verb = flag === 'pid' ? 'watch' : 'start';
      const args = [verb, process.cwd(), '--worker', 'fake', `--${flag}=${value}`];
      const { code, err } = await programOf(more, ...args);
      // An invalid number is a usage error, reported before a project is added or anything starts.
      expect([value, started.length === 1 || code === EXIT.usage]).toEqual([value, true]);
      expect([value, code]).not.toEqual([value, EXIT.ok]);
      expect([value, err]).not.toEqual([value, '']);
      const { input } = coreProcedures[verb === 'watch' ? 'loop.watch' : 'loop.start'];
      for (const one of started) expect([value, input.safeParse(one).success]).toEqual([value, true]);
    }
  },
);
