import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { appError } from '@contract/errors';
import { err, ok } from '@contract/result';
import type { StoredEvent } from '@contract/run/events';
import { ulids } from '@main/adapters/system/ids';
import { afterEach, expect, test, vi } from 'vitest';
import { runService } from './testing/run-service';

/** Replaces the removal of folders; null: unchanged. */
const disk = vi.hoisted(() => ({ remove: null as (() => Promise<void>) | null }));
vi.mock('@main/services/disk', async (real) => {
  const disks = await real<typeof import('@main/services/disk')>();
  return { ...disks, removeFolder: (path: string) => (disk.remove ?? disks.removeFolder)(path) };
});
afterEach(() => {
  disk.remove = null;
});

test('a run freezes the workflow and the profiles that it uses', async () => {
  const { harness, start } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  expect(await start()).toEqual({ ok: true, value: { runId: 1 } });
  await harness.idle();
  const state = harness.state();
  expect(state.outcome).toBe('succeeded');
  expect(Object.keys(state.profiles)).toEqual(['fake']);
});

test('a run does not start where it may not write, and the error says where and how to fix it', async () => {
  // A file in the folder's place is refused for root too, to whom permissions do not apply.
  const blocked = join(mkdtempSync(join(tmpdir(), 'muster-artifacts-')), 'file');
  writeFileSync(blocked, '');
  const { harness, start } = runService(join(blocked, 'artifacts'));
  expect(await start()).toMatchObject({
    ok: false,
    error: {
      code: 'project.not_writable',
      message: expect.stringContaining(blocked),
      mend: 'check its permissions',
    },
  });
  expect(harness.log.rows).toEqual([]);
});

test('a run does not start with an unknown project, a missing file or a missing attachment, and leaves no folder', async () => {
  const root = mkdtempSync(join(tmpdir(), 'muster-artifacts-'));
  const { harness, start } = runService(root);
  expect(await start({ projectId: 2 })).toMatchObject({ error: { code: 'not_found' } });
  expect(await start({ file: 'gone.yaml' })).toMatchObject({
    error: { code: 'not_found', message: 'there is no file gone.yaml', where: { file: 'gone.yaml' } },
  });
  expect(await start({ attachments: ['.muster/workflows/w.yaml', 'gone.md'] })).toMatchObject({
    error: { code: 'validation.file_missing' },
  });
  expect(harness.log.rows).toEqual([]);
  expect(readdirSync(root)).toEqual([]);
});

test('a file that both the operator and a step attach is copied and sent once', async () => {
  const { harness, start, path } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  const flow =
    'name: W\nsteps:\n  - id: a\n    type: step.agent_task\n    config: {instruction: Go., acp_profile_id: fake, attachments: [brief.md]}\n';
  writeFileSync(join(path, '.muster', 'workflows', 'w.yaml'), flow);
  writeFileSync(join(path, 'brief.md'), 'the brief');
  expect(await start({ attachments: ['brief.md'] })).toMatchObject({ ok: true });
  await harness.idle();
  expect(harness.agents.sent.map(({ request }) => request.attachments)).toMatchObject([
    [{ name: 'brief.md' }],
  ]);
});

test('a step that only overrides the default profile runs with the settings of its start, also after a restart', async () => {
  let set: string | null = 'fake';
  const { harness, start, path } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')), () => set);
  const flow =
    'name: W\nsteps:\n  - id: a\n    type: step.agent_task\n    config: {instruction: Go., agent_config: {model: big}}\n';
  writeFileSync(join(path, '.muster', 'workflows', 'w.yaml'), flow);
  harness.agents.answer = () => null;
  expect(await start()).toEqual({ ok: true, value: { runId: 1 } });
  await harness.idle();
  expect(harness.agents.opened).toMatchObject([{ profile: { id: 'fake' }, model: 'big' }]);
  set = 'gone';
  expect(await start()).toMatchObject({
    error: { code: 'validation.agent_missing', message: expect.stringContaining('"gone" does not exist') },
  });
  await harness.restart();
  await harness.answer('resend');
  harness.agents.sent.at(-1)?.end({ response: 'done' });
  await harness.idle();
  expect(harness.state()).toMatchObject({ outcome: 'succeeded', defaultProfile: 'fake' });
  expect(Object.keys(harness.state().profiles)).toEqual(['fake']);
});

test('a run that the store does not accept is refused, and leaves nothing behind', async () => {
  const root = mkdtempSync(join(tmpdir(), 'muster-artifacts-'));
  const { harness, start } = runService(root);
  harness.log.failing = 1;
  expect(await start()).toMatchObject({ ok: false, error: { code: 'store.disk_full' } });
  expect(readdirSync(root)).toEqual([]);
  expect([...harness.engine.all()]).toEqual([]);
  expect(harness.agents.opened).toEqual([]);
});

test('a run is deleted permanently only when its worktrees are dealt with, and the bin brings them back', async () => {
  const root = mkdtempSync(join(tmpdir(), 'muster-artifacts-'));
  const { harness, start, runs, folders, asked, purged, logged, told, path } = runService(root);
  await start();
  await harness.idle();
  expect(await runs.purge(1)).toMatchObject({ ok: false, error: { code: 'conflict' } });
  await runs.bin(1);
  await runs.restore(1);
  expect(asked).toEqual([['revive', ['muster/x']]]);
  await runs.bin(1);
  const { remove } = folders;
  folders.remove = async () => err(appError('workspace.failed', 'git is busy'));
  expect(await runs.purge(1)).toMatchObject({ ok: false, error: { message: 'git is busy' } });
  expect([purged, readdirSync(root).length]).toEqual([[], 1]);
  folders.remove = remove;
  expect(await runs.purge(1)).toEqual({ ok: true, value: {} });
  expect([purged, readdirSync(root)]).toEqual([[1], []]);
  expect(asked.at(-1)).toEqual(['remove', path, { unfinished: [], teardown: 'down' }]);
  expect(logged).toEqual([
    ['left by a purged run', { runId: 1, note: 'a worktree stays' }],
    ['kept of a purged run', { runId: 1, ref: 'refs/muster/kept/w' }],
  ]);
  expect(told).toMatchObject([
    expect.stringContaining('The run W was deleted, but not completely: a worktree'),
  ]);
});

test('a run in the bin is not resumed: it would go on where no one sees it', async () => {
  const { harness, start, runs } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  harness.agents.answer = () => ({ outcome: 'failed' });
  await start();
  await harness.idle();
  expect(harness.state().outcome).toBe('failed');
  await runs.bin(1);
  expect(await runs.resume({ runId: 1, by: 'test' })).toMatchObject({
    error: { code: 'conflict', message: 'the run is in the bin', mend: 'restore it from the bin first' },
  });
  expect(harness.state().status).toBe('finished');
  await runs.restore(1);
  expect(await runs.resume({ runId: 1, by: 'test' })).toMatchObject({ ok: true });
});

test('the files of a deleted run go before its rows: one that stays leaves the run in the bin', async () => {
  const root = mkdtempSync(join(tmpdir(), 'muster-artifacts-'));
  const { harness, start, runs, purged } = runService(root);
  await start();
  await harness.idle();
  await runs.bin(1);
  let rows = -1;
  disk.remove = async () => {
    rows = purged.length;
    throw new Error('EBUSY: it is open elsewhere');
  };
  expect(await runs.purge(1)).toMatchObject({
    error: { code: 'project.not_writable', message: expect.stringContaining('EBUSY') },
  });
  expect([rows, purged]).toEqual([0, []]);
  disk.remove = null;
  expect(await runs.purge(1)).toMatchObject({ ok: true });
  expect([purged, readdirSync(root)]).toEqual([[1], []]);
});

test('the files deleted with a run are in its own folder, whatever an earlier import called it', async () => {
  const top = mkdtempSync(join(tmpdir(), 'muster-artifacts-'));
  const root = join(top, 'artifacts');
  mkdirSync(join(top, 'mine'));
  const { harness, start, runs } = runService(root);
  await start();
  await harness.idle();
  Object.assign(harness.log.rows[0]?.event ?? {}, { uid: '../mine', artifactsDir: join(top, 'mine') });
  await runs.bin(1);
  expect(await runs.purge(1)).toMatchObject({ ok: true });
  expect(readdirSync(top)).toContain('mine');
});

test('a run that is being deleted is neither taken out of the bin nor deleted a second time', async () => {
  const { harness, start, runs, folders, purged } = runService(
    mkdtempSync(join(tmpdir(), 'muster-artifacts-')),
  );
  await start();
  await harness.idle();
  await runs.bin(1);
  let go = (): void => undefined;
  const { remove } = folders;
  folders.remove = async (...asked) => {
    await new Promise<void>((resolve) => {
      go = resolve;
    });
    return remove(...asked);
  };
  const first = runs.purge(1);
  const refused = { ok: false, error: { code: 'conflict', message: 'the run is being deleted' } };
  expect(await runs.purge(1)).toMatchObject(refused);
  expect(await runs.restore(1)).toMatchObject(refused);
  go();
  expect(await first).toMatchObject({ ok: true });
  expect(purged).toEqual([1]);
});

test('a run that cannot be read is put into the bin and taken out again without its being read', async () => {
  const { harness, start, runs, logged } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  expect(await runs.bin(1)).toMatchObject({ error: { code: 'not_found' } });
  await start();
  await harness.idle();
  harness.log.read = () => {
    throw new Error('an event of a kind that is not known');
  };
  expect(await runs.bin(1)).toEqual({ ok: true, value: {} });
  expect(await runs.restore(1)).toEqual({ ok: true, value: {} });
  const at = harness.clock.now();
  expect(logged).toContainEqual({ runId: 1, binned: true, at });
  expect(logged).toContainEqual({ runId: 1, binned: false, at });
  expect(await runs.purge(1)).toMatchObject({ error: { code: 'store.failed' } });
});

test('a run that cannot be read is named as such, and hides no other', async () => {
  const { harness, start, runs, logged } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  await start();
  await harness.idle();
  harness.log.read = () => {
    throw new Error('an event of a kind that is not known');
  };
  for (const asked of [runs.get(1), runs.snapshot(1)])
    expect(asked).toMatchObject({
      error: { code: 'store.failed', message: expect.stringContaining('run 1 cannot be read') },
    });
  expect(runs.stateWithoutHistory(1)).toBeNull();
  expect(JSON.stringify(logged)).toContain('a kind that is not known');
});

const team = (more: object = {}) => ({
  projectId: 1,
  startedBy: 'test',
  definition: workflowDefinitionSchema.parse({
    name: 'Team',
    steps: [
      {
        id: 'team',
        type: 'step.team',
        config: { members: [{ name: 'S1', agent: 'fake', prompt: 'work', iterative: true }], ...more },
      },
    ],
  }),
});

test('a definition without a file is started with its prompt texts and every profile', async () => {
  const { harness, runs, path } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  const agents = 'profiles:\n  - {kind: scripted, id: other, name: Other, script: none}\n';
  writeFileSync(join(path, '.muster', 'agents.yaml'), agents);
  const own = join(path, '.muster', 'prompts', 'team');
  mkdirSync(own, { recursive: true });
  const text =
    'Lead is satisfied. Mark complete and send final.\n{member}, {round}: <task-result status="completed">';
  writeFileSync(join(own, 'final-round.md'), text);
  harness.agents.answer = () => null;
  expect(await runs.startDefinition(team())).toEqual({ ok: true, value: { runId: 1 } });
  await harness.idle();
  const state = harness.state();
  expect(state).toMatchObject({ name: 'Team', sourceFile: null, status: 'running' });
  expect(Object.keys(state.profiles).sort()).toEqual(['fake', 'other']);
  expect(Object.keys(state.prompted)).toContain('team/iterative-teammate');
  expect(state.prompted['team/final-round']).toBe(text);
  expect(harness.agents.sent[0]?.request.prompt).toContain('ITERATIVE MODE');
});

test('a run does not start where a prompt of the project is not valid, and the error names every problem', async () => {
  const { harness, runs, start, path } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  const own = join(path, '.muster', 'prompts', 'team');
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, 'final-round.md'), 'The end of {nobody}.');
  writeFileSync(join(own, 'leed.md'), 'A slip.');
  const refused = await runs.startDefinition(team());
  expect(refused).toMatchObject({ ok: false, error: { code: 'validation.prompt_placeholder' } });
  if (!refused.ok) expect(refused.error.message).toMatch(/final-round\.md.*leed\.md/s);
  expect(harness.log.rows).toEqual([]);
  // A run that needs none of them is not blocked by them.
  expect(await start()).toMatchObject({ ok: true });
});

test('a run does not start where the context of the project cannot be read, since agents would work without it', async () => {
  const { harness, runs, path } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  mkdirSync(join(path, '.muster', 'context.md'));
  expect(await runs.startDefinition(team())).toMatchObject({
    ok: false,
    error: { message: expect.stringMatching(/context\.md is not read: it is a folder/) },
  });
  expect(harness.log.rows).toEqual([]);
});

test('a definition that is not valid is refused with its first problem, and all missing agents at once', async () => {
  const { harness, runs } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  const nobody = team({ members: [{ name: 'S1', agent: 'nobody', prompt: 'work' }] });
  expect(await runs.startDefinition(nobody)).toMatchObject({
    error: { code: 'validation.profile_unknown', where: { path: 'steps[0].config.members[0].agent' } },
  });
  const missing = ['nobody', 'no one', 'nobody'].map((agent, at) => ({ name: `S${at}`, agent, prompt: 'x' }));
  expect(await runs.startDefinition(team({ members: missing }))).toMatchObject({
    error: { message: 'there are no agent profiles "nobody", "no one"' },
  });
  expect(await runs.startDefinition({ ...team(), projectId: 2 })).toMatchObject({
    error: { code: 'not_found' },
  });
  expect(harness.log.rows).toEqual([]);
});

test('a run that is not in memory is folded once, and afterwards only its later events', async () => {
  const { harness, start, runs } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  await start();
  await harness.idle();
  expect(harness.engine.live(1)).toBeNull();
  expect(runs.snapshot(1)).toMatchObject({ value: { state: { status: 'finished', binned: false } } });
  const { log } = harness;
  const last = log.rows.length;
  const asked: number[] = [];
  const read = log.read.bind(log);
  log.read = (runId, afterSeq = 0) => {
    asked.push(afterSeq);
    return read(runId, afterSeq);
  };
  const row = { ...log.rows[0], seq: last + 1, event: { type: 'run.binned', by: 'operator' } };
  log.rows.push(row as StoredEvent);
  expect(runs.snapshot(1)).toMatchObject({ value: { state: { binned: true, seq: last + 1 } } });
  expect(asked).toEqual([last]);
  // A purged run is never folded again.
  await runs.purge(1);
  expect(runs.snapshot(1)).toMatchObject({ error: { code: 'not_found' } });
});

test('a run is started once under one uid, also where it is requested twice at once or the answer was lost', async () => {
  const { harness, runs, start, uids } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  const uid = ulids.ulid();
  const ask = () => runs.once(uid, () => start({ uid }));
  const both = await Promise.all([ask(), ask()]);
  expect(both).toEqual([
    { ok: true, value: { runId: 1 } },
    { ok: true, value: { runId: 1 } },
  ]);
  await harness.idle();
  uids.set(uid, 1);
  expect(await ask()).toEqual({ ok: true, value: { runId: 1 } });
  await harness.idle();
  expect(harness.events().filter(({ type }) => type === 'run.started')).toMatchObject([{ uid }]);
  const other = await runs.once(undefined, () => start());
  expect(other).toEqual({ ok: true, value: { runId: 2 } });
});

test('a run that another core had started under that uid is taken up', async () => {
  const { harness, runs, uids } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  uids.set('there', 1);
  expect(await runs.once('there', () => Promise.reject(new Error('started again')))).toMatchObject({
    error: { code: 'not_found' },
  });
  expect(harness.log.rows).toEqual([]);
});

test('a run in the bin is not resumed, and one in progress is not deleted', async () => {
  const { harness, start, runs, purged } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  harness.agents.answer = () => ({ outcome: 'failed', error: appError('agent.failed', 'broken') });
  await start();
  await harness.idle();
  expect(harness.state().outcome).toBe('failed');
  expect(await runs.bin(1)).toEqual({ ok: true, value: {} });
  expect(await runs.resume({ runId: 1, by: 'test' })).toMatchObject({
    error: { code: 'conflict', message: 'the run is in the bin' },
  });
  expect(harness.state().status).toBe('finished');
  // As left by an earlier Muster.
  harness.agents.answer = () => null;
  const activationIds = [1];
  await harness.engine.command(1, () => ok([{ type: 'run.resumed', by: 'test', activationIds }]));
  await harness.idle();
  expect(await runs.purge(1)).toMatchObject({
    error: { code: 'conflict', message: 'the run is still running' },
  });
  expect(purged).toEqual([]);
});

test('the output of a command is read from the end of its log, with its size, and from the run where no log is left', async () => {
  const { harness, start, runs, path } = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  const flow =
    'name: W\nsteps:\n  - id: a\n    type: step.command\n    config: {terminal: false, script: make}\n';
  writeFileSync(join(path, '.muster', 'workflows', 'w.yaml'), flow);
  harness.commands.answer = () => ({ output: 'told' });
  await start();
  await harness.idle();
  const read = (commandId: number, bytes: number) => runs.commandOutput({ runId: 1, commandId, bytes });
  expect(await read(1, 100)).toEqual({ ok: true, value: { text: 'told', totalBytes: 0 } });
  const folder = join(harness.state().artifactsDir, 'commands');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'c1.log'), 'first\nlast\n');
  expect(await read(1, 5)).toEqual({ ok: true, value: { text: 'last\n', totalBytes: 11 } });
  expect(await read(2, 5)).toMatchObject({ ok: false, error: { code: 'not_found' } });
});
