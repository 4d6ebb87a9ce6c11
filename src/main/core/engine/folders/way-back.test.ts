import { agentProfileSchema } from '@areas/agents/contract/profile';
import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import { expect, test } from 'vitest';
import { Harness, task } from '../testing/harness';

const full = err(appError('store.disk_full', 'git: no space left', { mend: 'Free some disk space.' }));

test('a turn is not sent where the folder could not be kept before it, and says why', async () => {
  const harness = new Harness();
  harness.folders.snapshot = async () => full;
  await harness.run({ steps: [task('a')] });
  expect(harness.agents.sent).toEqual([]);
  const state = harness.state();
  expect(state.turns[1]).toMatchObject({
    status: 'failed',
    stopReason: 'not_sent',
    error: {
      code: 'workspace.snapshot_failed',
      message: expect.stringContaining('could not be reverted. git: no space left'),
      mend: 'Free some disk space.',
    },
  });
  expect(state.activations[1]).toMatchObject({ outcome: 'failed' });
  harness.folders.snapshot = async () => ok('c1');
  await harness.engine.command(1, () => ok([{ type: 'run.resumed', by: 'test', activationIds: [1] }]));
  await harness.idle();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
});

test('a folder that could not be kept after a turn does not undo the turn', async () => {
  const harness = new Harness();
  harness.folders.snapshot = async (_, name) => (name.endsWith('before') ? ok('c1') : full);
  await harness.run({ steps: [task('a')] });
  expect(harness.state()).toMatchObject({ outcome: 'succeeded', turns: { 1: { changes: null } } });
});

test('a folder that could not be kept, after a turn or of the run’s own, is noted at the turn with the reason', async () => {
  const after = new Harness();
  after.folders.snapshot = async (_, name) => (name.endsWith('before') ? ok('c1') : full);
  await after.run({ steps: [task('a')] });
  const plain = new Harness();
  plain.folders.snapshot = async () => full;
  await plain.run({ steps: [task('a')] }, { workspaceMode: 'folder' });
  const kept = new Harness();
  kept.folders.snapshot = async () => ok('c1');
  await kept.run({ steps: [task('a')] });
  const unkept = (harness: Harness) => harness.state().turns[1]?.unkept?.message;
  expect([after, plain, kept].map(unkept)).toEqual(['git: no space left', 'git: no space left', undefined]);
});

test('a snapshot is not needed for an agent that only reads, or in a folder of the run’s own', async () => {
  const reads = new Harness();
  reads.folders.snapshot = async () => full;
  const codex = { kind: 'cli', id: 'fake', name: 'Fake', command: 'codex', read_only: true };
  await reads.run({ steps: [task('a')] }, { profiles: { fake: agentProfileSchema.parse(codex) } });
  expect(reads.state().outcome).toBe('succeeded');
  const plain = new Harness();
  plain.folders.snapshot = async () => full;
  await plain.run({ steps: [task('a')] }, { workspaceMode: 'folder' });
  expect(plain.state().outcome).toBe('succeeded');
});

test('the changes of a turn are shared with another agent only where both worked in the folder at the same time', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  harness.folders.snapshot = async (_, name) => ok(name);
  harness.folders.changes = async (_, between) => ({ ...between, files: 1, added: 1, removed: 0 });
  const end = async (index: number) => {
    harness.clock.time += 1;
    harness.agents.sent[index]?.end({ response: 'x' });
    await harness.idle();
  };
  await harness.run({ steps: [task('a', { re_prompts: ['again'] }), task('b')] });
  // `b` works beside the first turn of `a`, and has ended before the second one.
  await end(1);
  await end(0);
  await end(2);
  const { turns } = harness.state();
  const shared = Object.values(turns).map(({ prompt, changes }) => [prompt, changes?.shared === true]);
  expect(shared).toEqual([
    ['do a', true],
    ['do b', true],
    ['again', false],
  ]);
});
