import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appError } from '@contract/errors';
import type { ParsedInput } from '@contract/ipc';
import { err, ok } from '@contract/result';
import { replay } from '@contract/run/reduce';
import { expect, test } from 'vitest';
import { runService } from '../testing/run-service';

const task = (id: string, more = '') =>
  `  - {id: ${id}, type: step.agent_task${more}, config: {instruction: 'do ${id} $INPUTS.ticket', acp_profile_id: fake}}\n`;
const cable = (from: string, to: string) => `  - {from: ${from}.data_out, to: ${to}.data_in}\n`;

const chain = `name: W
inputs: {ticket: {default: one}}
steps:
${task('a')}${task('b')}${task('side')}${task('c')}${task('d')}cables:
${cable('a', 'b')}${cable('b', 'c')}${cable('a', 'side')}${cable('c', 'd')}`;

/** A run of the workflow in which `c` fails. */
async function failed(workflow = chain) {
  const made = runService(mkdtempSync(join(tmpdir(), 'muster-artifacts-')));
  const { harness, path, runs, start } = made;
  writeFileSync(join(path, '.muster', 'workflows', 'w.yaml'), workflow);
  harness.folders.changes = async (_place, { before, after }) => ({
    before,
    after,
    files: 1,
    added: 1,
    removed: 0,
  });
  harness.folders.snapshot = async (_place, name) => ok(name);
  harness.agents.answer = ({ request: { prompt } }) =>
    prompt.includes('do c') ? { outcome: 'failed' } : { response: `made of ${prompt.split('\n')[0]}` };
  await start();
  await harness.idle();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
  const again = (more: Partial<ParsedInput<'run.again'>> = {}) =>
    runs.again({ uid: 'NEW', runId: 1, step: 'c', inputs: {}, config: {}, startedBy: 'test', ...more });
  const sent = () => harness.agents.sent.map(({ request }) => request.prompt);
  return { ...made, again, sent };
}

test('A run begins again at its failed step with an edited instruction: what came before is taken, not executed', async () => {
  const { harness, again, sent, kept } = await failed();
  const before = sent().length;
  kept.commit = 'before-c';
  expect(await again({ instruction: 'now better' })).toEqual({ ok: true, value: { runId: 2 } });
  await harness.idle();
  const old = harness.state(1);
  const state = harness.state(2);
  expect(state).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(
    sent()
      .slice(before)
      .map((prompt) => /do \w+|now better/.exec(prompt)?.[0]),
  ).toEqual(['now better', 'do d']);
  expect(sent().at(before), 'earlier results are in its prompt').toContain('made of');
  for (const id of [1, 2, 3])
    expect(state.activations[id]).toMatchObject({
      outputs: old.activations[id]?.outputs,
      adopted: { uid: old.uid, at: old.activations[id]?.finishedAt },
      turnIds: [],
    });
  const events = harness.log.read(2).map(({ event }) => event.type);
  expect(events.slice(0, 4)).toEqual(['run.started', ...Array(3).fill('activation.adopted')]);
  expect(state.again).toMatchObject({
    uid: old.uid,
    step: 'c',
    folder: { commit: 'before-c', head: 'head' },
  });
  expect(old.againAs).toEqual([{ uid: 'NEW', step: 'c', at: expect.any(Number) }]);
  expect(replay(harness.log.read(2))).toEqual(state);
  expect(state.spend.untold, 'only what ran here is counted').toBe(2);
});

test('A run that began again survives a kill, and does not take or execute anything twice', async () => {
  const { harness, again, sent } = await failed();
  const before = sent().length;
  harness.agents.answer = () => null;
  await again({ instruction: 'now better' });
  await harness.idle();
  await harness.restart();
  harness.agents.answer = () => ({ response: 'ok' });
  const gate = Object.values(harness.state(2).gates).find(({ status }) => status === 'open');
  const answer = { option: 'resend' };
  await harness.engine.command(2, () =>
    ok([{ type: 'gate.resolved', gateId: gate?.id ?? 0, answer, by: 'test' }]),
  );
  await harness.idle();
  expect(harness.state(2)).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(
    sent()
      .slice(before)
      .filter((prompt) => /^do (a|b|side)/.test(prompt)),
  ).toEqual([]);
  expect(harness.log.read(2).filter(({ event }) => event.type === 'activation.adopted')).toHaveLength(3);
});

test('Other inputs are used for what runs here, and unknown ones are refused', async () => {
  const { again, harness, sent } = await failed();
  expect(await again({ inputs: { no: 'x' } })).toMatchObject({ ok: false });
  expect(harness.log.read(2)).toEqual([]);
  expect(harness.state(1).againAs).toBeUndefined();
  await again({ inputs: { ticket: 'two' }, instruction: 'look at $INPUTS.ticket' });
  await harness.idle();
  expect(sent().some((prompt) => prompt.includes('look at two'))).toBe(true);
});

test('Nothing starts where the snapshot is gone, and the start of the workflow is offered', async () => {
  const { again, harness, kept } = await failed();
  kept.commit = null;
  expect(await again()).toMatchObject({
    ok: false,
    error: { code: 'workspace.snapshot_gone', mend: expect.stringContaining('from its beginning') },
  });
  expect(harness.log.read(2)).toEqual([]);
  expect(harness.state(1).againAs).toBeUndefined();
});

test('The folder begins with the snapshot from before the first turn of the step', async () => {
  const { again, asked, harness } = await failed();
  await again({ step: 'b' });
  const [turn] = harness.state(1).activations[2]?.turnIds ?? [];
  expect(asked.at(-1)).toEqual(['keptSnapshot', `${harness.state(1).uid}/t${turn}-before`]);
});

test('A branch that changed files after the step had begun is not taken, because the folder is as it was before', async () => {
  const { again, harness } = await failed();
  await again({ step: 'b' });
  await harness.idle();
  const taken = harness.log
    .read(2)
    .flatMap(({ event }) => (event.type === 'activation.adopted' ? [event.stepId] : []));
  expect(taken).toEqual(['a']);
  expect(harness.state(2).steps.side?.activationIds).toHaveLength(1);
});

test('A step at which a run cannot begin is refused with a hint', async () => {
  const { again } = await failed();
  expect(await again({ step: 'nope' })).toMatchObject({
    error: { code: 'not_found', mend: expect.stringContaining('a, ') },
  });
  expect(await again({ step: 'd' })).toMatchObject({
    error: { code: 'conflict', mend: 'Run again from c.' },
  });
  expect(await again({ step: 'c[1]/x' })).toMatchObject({ error: { mend: 'Run again from c.' } });
  expect(await again({ config: { nonsense: 1 } })).toMatchObject({ ok: false });
});

test('A step that went on in the session of a taken step begins one of the same profile, and gets its transcript', async () => {
  const continued = chain.replace(
    "instruction: 'do c $INPUTS.ticket', ",
    "instruction: 'do c $INPUTS.ticket', session_mode: continue, ",
  );
  const { again, harness, sent } = await failed(continued);
  expect((await again({ instruction: 'go on' })).ok).toBe(true);
  await harness.idle();
  const { sessions, outcome } = harness.state(2);
  expect(outcome).toBe('succeeded');
  const [key] = Object.values(harness.state(1).sessions).map((session) => session.key);
  expect(Object.values(sessions)[0]?.insteadOf?.slice(0, -1)).toBe(key?.slice(0, -1));
  expect(sent().find((prompt) => prompt.includes('go on'))).toContain('made of');
});

test('A run that was begun again can be begun again itself, and names the run in which each result was made', async () => {
  const { again, harness } = await failed();
  await again({ instruction: 'now better' });
  await harness.idle();
  expect(await again({ runId: 2, step: 'd', uid: 'THIRD' })).toEqual({ ok: true, value: { runId: 3 } });
  await harness.idle();
  const { activations, outcome } = harness.state(3);
  expect(outcome).toBe('succeeded');
  const made = Object.values(activations).map((one) => one.adopted?.uid ?? null);
  expect(made).toEqual([harness.state(1).uid, harness.state(1).uid, harness.state(1).uid, 'NEW', null]);
});

test('A run that could not be started leaves no link to it', async () => {
  const { harness, again } = await failed();
  const { start } = harness.engine;
  harness.engine.start = async () => err(appError('internal', 'the disk is full'));
  expect(await again()).toMatchObject({ ok: false });
  expect(harness.state(1).againAs).toBeUndefined();
  harness.engine.start = start;
  expect(await again()).toEqual({ ok: true, value: { runId: 2 } });
  await harness.idle();
  expect(harness.state(1).againAs).toEqual([{ uid: 'NEW', step: 'c', at: expect.any(Number) }]);
});
