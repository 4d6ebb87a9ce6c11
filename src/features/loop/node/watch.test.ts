import { ok } from '@contract/result';
import { describe, expect, test } from 'vitest';
import { DONE, ralphSh, Watching } from './testing/watching';

test('a watch posts an update for each attempt, with N of the command line, and ends with the process', async () => {
  const harness = new Watching(['A', 'B']);
  await harness.open();
  harness.lay(1, 'm1', false);
  await harness.look();
  expect(harness.results()).toEqual([]);
  harness.checkout.do({ pass: ['A'], commit: ['feat: [A] - x'], file: 'Did A.' }, 1);
  harness.lay(1, 'm1');
  await harness.look();
  expect(harness.updates().map(({ text }) => text)).toEqual([
    'Iteration 1/7\nStory: A - Title A\nResult: completed\nCommit: c1\nSummary: Did A.',
  ]);
  harness.processes = [];
  await harness.look(4);
  expect(harness.state().activations[1]?.error?.message).toContain(
    'process 9 (./ralph.sh) has ended; still open: B',
  );
  expect(harness.checkout.asked.filter((one) => !one.startsWith('examine'))).toEqual([]);
});

test('an attempt that had begun before the watch is judged by what git says of its beginning, and says so', async () => {
  const harness = new Watching(['A']);
  harness.lay(1, 'm1', false);
  harness.checkout.do({ pass: ['A'], commit: ['feat: [A] - x'], file: 'Did A.' }, 1);
  const open = [{ id: 'A', title: 'Title A', priority: 1, passes: false }];
  const text = JSON.stringify({ branchName: 'ralph/x', userStories: open });
  harness.checkout.begun = async () =>
    ok({ head: '0', text, progressBytes: 0, progressHash: '', untold: [] });
  await harness.open();
  harness.lay(1, 'm1');
  await harness.look();
  expect(harness.updates()[0]?.text).toBe(
    'Iteration 1/7\nStory: A - Title A\nResult: completed\nCommit: c1\nSummary: It had begun before Muster watched. Did A.',
  );
});

test('an attempt without any trace from before the watch says so, and its own word counts', async () => {
  const harness = new Watching(['A']);
  harness.lay(1, 'm1', false);
  harness.checkout.begun = async () => ok({ ...harness.checkout.present(), untold: ['commits', 'plan'] });
  await harness.open();
  harness.checkout.do({ file: 'Did A.\nResult: completed' }, 1);
  harness.lay(1, 'm1');
  await harness.look();
  expect(harness.updates()[0]?.update).toMatchObject({
    result: 'completed',
    summary: [
      'It had begun before Muster watched. Its earlier commits and its earlier change of prd.json cannot be told. Did A.',
    ],
  });
});

test('an attempt whose log was overwritten before a look is reported as such, and the next one as itself', async () => {
  const harness = new Watching(['A']);
  await harness.open();
  harness.lay(1, 'm2');
  harness.checkout.do({ pass: ['A'], commit: ['feat: [A] - x'], file: 'Did A.' }, 1);
  const [current] = harness.found;
  if (current === undefined) throw new Error('no log');
  harness.found = [{ ...current, mark: 'm1', gone: true }, current];
  await harness.look(6);
  expect(harness.updates()).toHaveLength(2);
  expect(harness.updates()[0]?.text).toContain('its files were overwritten before they could be read');
  expect(harness.updates()[1]?.update).toMatchObject({ iteration: 1, retry: 1 });
});

test('one folder is watched once: two watches would report everything twice', async () => {
  const harness = new Watching(['A']);
  await harness.open();
  const { projectId } = harness.state();
  const asked = { projectId, folder: './', pid: null, iterations: 10, startedBy: 'operator' };
  expect(await harness.watch.start(asked)).toMatchObject({
    error: { code: 'conflict', message: 'run 1 already watches this folder' },
  });
  expect(await harness.watch.start({ ...asked, folder: 'other' })).toMatchObject({ ok: true });
  harness.processes = [];
  await harness.look(4);
  expect(await harness.watch.start(asked)).toMatchObject({ ok: true });
});

test('a fault of every look is logged once, and the watch goes on', async () => {
  const harness = new Watching(['A']);
  await harness.open();
  harness.checkout.logs = () => Promise.reject(new Error('too many open files'));
  await harness.look(5);
  expect(harness.warnings).toEqual(['Error: too many open files']);
  harness.checkout.logs = async () => ok([...harness.found]);
  harness.lay(1, 'm1');
  await harness.look();
  expect(harness.results()).toHaveLength(1);
});

test('a message file of an earlier attempt does not count for this one', async () => {
  const harness = new Watching(['A']);
  await harness.open();
  harness.lay(1, 'm1', false);
  await harness.look();
  harness.checkout.do({ file: 'All done.\nResult: completed' }, 1);
  harness.checkout.messageLag = 60_000;
  harness.lay(1, 'm1');
  const said = {
    type: 'item.completed',
    item: { id: 'i', type: 'agent_message', text: 'No key.\nResult: blocked' },
  };
  harness.checkout.files.set('1.jsonl', `${JSON.stringify(said)}\n${DONE}`);
  await harness.look();
  expect(harness.updates()[0]?.update).toMatchObject({ result: 'blocked', summary: ['No key.'] });
});

test('a retry under the same name is one, and a log that was overwritten before a look is reported as such', async () => {
  const harness = new Watching(['A']);
  await harness.open();
  harness.lay(1, 'first');
  await harness.look();
  harness.lay(1, 'second', false);
  await harness.look();
  harness.lay(1, 'third');
  await harness.look(6);
  expect(harness.results()).toEqual(['1 no-op unknown', '1 r1 failed unknown', '1 r2 no-op unknown']);
  expect(harness.updates()[1]?.text).toContain('its files were overwritten before they could be read');
});

test('a watch reports nothing that had ended before it began, and nothing twice after a restart', async () => {
  const harness = new Watching(['A', 'B']);
  harness.lay(1, 'old');
  await harness.open();
  expect(harness.results()).toEqual([]);
  harness.lay(2, 'new', false);
  await harness.look();
  await harness.restart();
  harness.watch = harness.newWatch();
  harness.lay(2, 'new');
  await harness.look(6);
  expect(harness.results()).toEqual(['2 no-op unknown']);
  for (const story of harness.checkout.stories) story.passes = true;
  await harness.look();
  expect(harness.state().outcome).toBe('succeeded');
});

describe('logs of an earlier loop', () => {
  const yesterday = (...unended: number[]) => {
    const harness = new Watching(['A', 'B']);
    for (const iteration of [1, 2, 3])
      harness.lay(iteration, `old${iteration}`, !unended.includes(iteration));
    harness.clock.advance(86_400_000);
    harness.processes = [{ ...ralphSh(9), startedAt: harness.clock.now() }];
    return harness;
  };
  const restart = async (harness: Watching) => {
    harness.watch.stop();
    await harness.restart();
    harness.watch = harness.newWatch();
  };
  const attempt = async (harness: Watching, iteration: number, id: string) => {
    harness.clock.advance(1_000);
    harness.lay(iteration, `new${iteration}`, false);
    await harness.look();
    const told = harness.results();
    harness.checkout.do({ pass: [id], file: `Did ${id}.` }, iteration);
    harness.lay(iteration, `new${iteration}`);
    return told;
  };

  test('logs of an earlier loop end no attempt, and are none, after a restart in the middle either', async () => {
    const harness = yesterday();
    await harness.open();
    expect(await attempt(harness, 1, 'A')).toEqual([]);
    await harness.look();
    await restart(harness);
    await harness.look(6);
    expect(harness.results()).toEqual(['1 completed A']);
    expect(await attempt(harness, 2, 'B')).toEqual(['1 completed A']);
    await harness.look(6);
    expect(harness.results()).toEqual(['1 completed A', '2 completed B']);
  });

  test('logs without an end are not under way where a loop runs and nothing is newer, or where none runs', async () => {
    const harness = yesterday(2);
    await harness.open();
    await harness.look();
    expect(harness.state1.attempts).toEqual([]);
    const newest = yesterday(3);
    await newest.open();
    expect(newest.state1.attempts).toEqual([]);
    const nobody = yesterday(3);
    nobody.processes = [];
    await nobody.open(null);
    expect(nobody.state1.attempts).toEqual([]);
    // A log that is still being written is an attempt in progress all the same.
    nobody.clock.advance(1_000);
    nobody.lay(3, 'old3', true);
    await nobody.look();
    expect(nobody.results()).toEqual(['3 no-op unknown']);
  });

  test('an attempt that is under way when the watching begins is followed', async () => {
    const harness = yesterday();
    harness.clock.advance(60_000);
    harness.lay(1, 'new1', false);
    await harness.open();
    harness.lay(1, 'new1');
    await harness.look();
    expect(harness.results()).toEqual(['1 no-op unknown']);
  });

  test('an attempt that ended while no one looked is reported, also where nothing had been reported before', async () => {
    const harness = yesterday();
    harness.processes = [];
    await harness.open(null);
    harness.clock.advance(1_000);
    harness.checkout.do({ pass: ['A'], commit: ['feat: [A] - x'], file: 'Did A.' }, 1);
    harness.lay(1, 'new1');
    await restart(harness);
    await harness.look(6);
    expect(harness.results()).toEqual(['1 completed A']);
  });
});

const pids = ({ state1 }: Watching) => [
  state1.watch?.seen?.how,
  ...(state1.watch?.seen?.processes ?? []).map(({ pid }) => pid),
];
const name = (harness: Watching, pid: number) => harness.watch.nameRunner({ runId: 1, activationId: 1, pid });

describe('the process of a watched loop', () => {
  test('the one ralph.sh that works there is found, later too, with its own N, and its end is reported', async () => {
    const harness = new Watching(['A']);
    harness.processes = [];
    await harness.open(null);
    expect(pids(harness)).toEqual(['none']);
    expect(harness.state1.plan).toMatchObject({ state: 'read', stories: [{ id: 'A' }] });
    harness.processes = [ralphSh(31, '4')];
    await harness.look();
    expect(pids(harness)).toEqual(['found', 31]);
    expect(harness.state1.watch?.seen?.processes[0]).toEqual({
      pid: 31,
      script: './ralph.sh',
      startedAt: 5,
      iterations: 4,
      mark: 't31',
    });
    harness.lay(1, 'm1');
    await harness.look();
    expect(harness.updates()[0]?.text).toContain('Iteration 1/4\n');
    // The same number, another process.
    harness.processes = [{ ...ralphSh(31), mark: 'other' }];
    await harness.look();
    expect(harness.state().activations[1]?.error?.message).toContain('process 31 (./ralph.sh) has ended');
    expect(harness.events().filter(({ type }) => type === 'loop.watch-observed')).toHaveLength(2);
  });

  test('none of several ralph.sh is taken until one is named, not even the last', async () => {
    const harness = new Watching(['A']);
    harness.processes = [ralphSh(1001), ralphSh(1002), ralphSh(1003, '3')];
    await harness.open(null);
    expect(pids(harness)).toEqual(['several', 1001, 1002, 1003]);
    harness.processes = [ralphSh(1003, '3')];
    await harness.look();
    expect(pids(harness)).toEqual(['several', 1003]);
    expect(await name(harness, 77)).toMatchObject({ ok: false, error: { code: 'not_found' } });
    expect(await name(harness, 1003)).toEqual({ ok: true, value: {} });
    expect([...pids(harness), harness.state1.of]).toEqual(['named', 1003, 3]);
    expect(await name(harness, 1003)).toMatchObject({ ok: false, error: { code: 'conflict' } });
    harness.processes = [];
    await harness.look();
    expect(harness.state1.watch?.ended).toBe('process 1003 (./ralph.sh) has ended');
    harness.processes = [ralphSh(1003)];
    expect(await name(harness, 1003)).toMatchObject({ ok: false, error: { code: 'run.finished' } });
  });

  test('a loop whose several processes have all ended is run by no one', async () => {
    const harness = new Watching(['A']);
    harness.processes = [ralphSh(1001), ralphSh(1002)];
    await harness.open(null);
    harness.processes = [];
    // What the process left is read once more before the watching ends.
    harness.lay(1, 'm1');
    await harness.look(6);
    expect(harness.results()).toEqual(['1 no-op unknown']);
    expect(harness.state1.watch?.ended).toBe('the processes that may have run it have ended');
  });

  test('a named process that does not exist ends the watching, and a system without a process list does not', async () => {
    const gone = new Watching(['A']);
    gone.processes = [];
    await gone.open(9);
    expect(gone.state1.watch?.ended).toBe('there is no process 9');
    const untold = new Watching(['A']);
    untold.processes = null;
    await untold.open(null);
    untold.lay(1, 'm1');
    await untold.look();
    expect([...pids(untold), untold.state1.watch?.ended]).toEqual(['untold', null]);
    expect(untold.results()).toEqual(['1 no-op unknown']);
  });

  test('the process of a watched loop is recognized after a restart', async () => {
    const harness = new Watching(['A']);
    await harness.open(null);
    await harness.restart();
    harness.watch = harness.newWatch();
    harness.processes = [];
    await harness.look();
    expect(harness.state1.watch?.ended).toBe('process 9 (./ralph.sh) has ended');
  });
});

describe('plans that do not say that every story passes', () => {
  test('an empty list of stories at the first look is no end', async () => {
    const harness = new Watching(['A']);
    harness.checkout.plan = JSON.stringify({ userStories: [] });
    await harness.open();
    expect(harness.state1.watch?.ended).toBeNull();
    harness.processes = [];
    await harness.look();
    expect(harness.state().outcome).toBe('failed');
  });

  test('open stories that an attempt took out of the plan are not done', async () => {
    const harness = new Watching(['A', 'B']);
    await harness.open();
    harness.lay(1, 'm1', false);
    await harness.look();
    harness.checkout.do({ pass: ['A'], lose: ['B'], file: 'Did A.' }, 1);
    harness.lay(1, 'm1');
    await harness.look();
    expect(harness.updates()[0]?.text).toContain('prd.json has lost B');
    expect(harness.state1.watch?.ended).toBeNull();
    harness.processes = [];
    await harness.look();
    expect(harness.state().activations[1]).toMatchObject({
      outcome: 'failed',
      error: { message: expect.stringContaining('has ended; lost from prd.json: B') },
    });
  });

  test('open stories that were put back and pass are done', async () => {
    const harness = new Watching(['A', 'B']);
    await harness.open();
    harness.lay(1, 'm1', false);
    await harness.look();
    harness.checkout.do({ pass: ['A'], lose: ['B'] }, 1);
    harness.lay(1, 'm1');
    await harness.look();
    harness.checkout.stories.push({ id: 'B', title: 'Title B', priority: 2, passes: true });
    await harness.look();
    expect(harness.state().outcome).toBe('succeeded');
  });
});
