import type { FileChange, TakenDiff } from '@areas/changes/contract/changes';
import { bundlePieces } from '@areas/evidence/contract/bundle-pieces';
import { evidencePieces } from '@areas/evidence/contract/evidence';
import { Harness } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { anna, answers, bert, output, profiles, run, step } from './testing/agents';

const added = (path: string, lines: number): FileChange => ({
  path,
  oldPath: null,
  status: 'added',
  added: lines,
  removed: 0,
});
const patch = (path: string, text: string) =>
  `diff --git a/${path} b/${path}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${text}\n`;
const taken = (text: string, more: Partial<TakenDiff> = {}): TakenDiff => ({
  from: 'x',
  to: 'y',
  text,
  omitted: [],
  bytes: text.length,
  path: '/artifacts/k1.diff',
  ...more,
});

test('a step whose changes cannot be read fails, and reads them again when the run is resumed', async () => {
  const harness = new Harness();
  const readable = harness.folders.diffs;
  harness.folders.diffs = () => {
    throw new Error('.git is missing');
  };
  await run(harness, [anna()]);
  expect(harness.state().outcome).toBe('failed');
  expect(harness.state().activations[1]?.error?.message).toMatch(/^The changes of the step cannot be read: /);
  expect(output(harness, 'diff_out')).toMatch(/^The changes cannot be read: /);
  harness.folders.diffs = readable;
  const resumed = { type: 'run.resumed' as const, by: 'test', activationIds: [1] };
  await harness.engine.command(1, () => ({ ok: true, value: [resumed] }));
  await harness.idle();
  expect(harness.state().outcome).toBe('succeeded');
  expect(harness.agents.sent).toHaveLength(1);
});

test('a reviewer gets every small file of a change whole, and the names and sizes of the others', async () => {
  const harness = new Harness();
  const long = patch('zz-long.txt', 'x'.repeat(70_000));
  const text = patch('src/payment.js', 'send(token)') + long;
  const omitted = [{ path: 'package-lock.json', added: 60_002, removed: 0 }];
  harness.folders.diffs = () => ({
    diff: taken(text, { omitted, bytes: 9_000_000 }),
    files: [added('package-lock.json', 60_002), added('src/payment.js', 1), added('zz-long.txt', 1)],
    notes: [],
  });
  answers(harness, { anna: ['built'], bert: ['{"decision": "approve", "findings": []}'] });
  await run(harness, [anna(), bert()], { coordination: 'review_chain' });
  const prompt = harness.agents.sent[1]?.request.prompt ?? '';
  expect(prompt).toContain('- package-lock.json (added, +60002 -0)\n- src/payment.js (added, +1 -0)\n');
  expect(prompt).toContain('+send(token)');
  expect(prompt).not.toContain('xxx');
  expect(prompt).toMatch(/left out here because of their size.*\n- package-lock\.json\n- zz-long\.txt\n/);
  expect(output(harness, 'diff_out')).toMatch(
    /^# NOT WHOLE: the diffs of 1 file.*\n# {3}package-lock\.json \(\+60002 -0\)\n# The whole diff \(9000000 bytes\) is in /,
  );
  expect(harness.state().activations[1]?.warnings.join()).toContain('diff_out leaves out package-lock.json');
});

test('a diff that is too large for an event is on its port whole, without a warning, and follows a revision', async () => {
  const harness = new Harness();
  const whole = patch('small.ts', 'a') + patch('lock.json', 'b'.repeat(600_000));
  harness.textFiles.files.set('ab'.repeat(32), whole);
  const omitted = [{ path: 'lock.json', added: 1, removed: 0 }];
  const large = { omitted, bytes: whole.length, sha256: 'ab'.repeat(32) };
  harness.folders.diffs = () => ({
    diff: taken(patch('small.ts', 'a'), large),
    files: [added('lock.json', 1), added('small.ts', 1)],
    notes: [],
  });
  answers(harness, { anna: ['built'] });
  await run(harness, [anna()]);
  const { outputs, warnings } = harness.state().activations[1] ?? {};
  expect(outputs?.diff_out).toMatchObject({
    large: { sha256: 'ab'.repeat(32), bytes: whole.length },
    form: 'text',
    kind: 'diff',
    metadata: { capture_id: 1, files_changed: 2 },
  });
  expect(outputs?.diff_out).not.toHaveProperty('content');
  expect(warnings).toEqual([]);
  await harness.engine.command(1, () => ({
    ok: true,
    value: [
      {
        type: 'capture.revised',
        captureId: 1,
        diff: taken('less'),
        files: [added('small.ts', 1)],
        by: 'operator',
      },
    ],
  }));
  expect(output(harness, 'diff_out')).toBe('less');
  expect(harness.state().activations[1]?.outputs.diff_out).not.toHaveProperty('large');
});

test('a gate refers to the recorded change, and every port that holds it follows its revision', async () => {
  const harness = new Harness();
  harness.folders.diffs = () => ({
    diff: taken(patch('a.ts', 'a') + patch('b.ts', 'secret')),
    files: [added('a.ts', 1), added('b.ts', 1)],
    notes: [],
  });
  await harness.run(
    {
      steps: [
        step([anna()]),
        { id: 'ok', type: 'step.approval', config: { message: 'ok?' } },
        { id: 'tell', type: 'step.agent_task', config: { instruction: 'x', acp_profile_id: 'fake' } },
      ],
      cables: [
        { from: 'code.diff_out', to: 'ok.data_in' },
        { from: 'ok.approved_out', to: 'tell.data_in' },
      ],
    },
    { profiles },
  );
  const gate = harness.state().gates[1];
  const capture = Object.values(harness.state().captures).at(-1)?.id ?? 0;
  expect(evidencePieces(gate ?? { evidence: null }, 'text')).toEqual([
    { kind: 'diff', title: 'code', text: '2 files changed, +2 -0', capture },
  ]);
  const revised = {
    type: 'capture.revised' as const,
    captureId: capture,
    diff: taken(patch('a.ts', 'a'), { to: 'z' }),
    files: [added('a.ts', 1)],
    by: 'operator',
  };
  await harness.engine.command(1, () => ({ ok: true, value: [revised] }));
  await harness.answer('approve');
  await harness.idle();
  expect(output(harness, 'diff_out')).toBe(patch('a.ts', 'a'));
  expect(output(harness, 'files_out')).toMatchObject([{ path: 'a.ts' }]);
  expect(harness.agents.sent.at(-1)?.request.prompt).toContain('+a');
  expect(harness.agents.sent.at(-1)?.request.prompt).not.toContain('secret');
});

test('the large diffs of agents in parallel reach the next step whole, a gate refers to each, and both follow a revision', async () => {
  const harness = new Harness();
  const whole = patch('small.ts', 'a') + patch('lock.json', 'b'.repeat(600_000));
  const sha256 = 'ab'.repeat(32);
  harness.textFiles.files.set(sha256, whole);
  const omitted = [{ path: 'lock.json', added: 1, removed: 0 }];
  harness.folders.diffs = ({ place }) => ({
    diff: place.path.endsWith('agent-1')
      ? taken(patch('small.ts', 'a'), { omitted, bytes: whole.length, sha256 })
      : taken(patch('other.ts', 'c')),
    files: [added('small.ts', 1)],
    notes: [],
  });
  answers(harness, { anna: ['built'], bert: ['built'] });
  const script = { script: 'echo "$DATA_IN"', terminal: false };
  await harness.run(
    {
      steps: [
        step([anna(), bert()], { coordination: 'parallel' }),
        { id: 'ok', type: 'step.approval', config: { message: 'ok?' } },
        { id: 'use', type: 'step.command', config: script },
      ],
      cables: [
        { from: 'code.diff_out', to: 'ok.data_in' },
        { from: 'ok.approved_out', to: 'use.data_in' },
      ],
    },
    { profiles },
  );
  const { outputs, warnings } = harness.state().activations[1] ?? {};
  expect(outputs?.diff_out?.content).toMatchObject([
    { diff: { sha256, bytes: whole.length } },
    { diff: patch('other.ts', 'c') },
  ]);
  expect(warnings).toEqual([]);
  const pieces = evidencePieces(harness.state().gates[1] ?? { evidence: null }, 'text');
  expect(pieces).toMatchObject([
    { kind: 'diff', capture: 1 },
    { kind: 'diff', capture: 2 },
  ]);
  expect(
    bundlePieces(outputs?.diff_out ?? { content: '', source_session_key: null, metadata: {} }),
  ).toMatchObject([
    { capture: 1, text: expect.stringContaining('not shown here') },
    { capture: 2, text: patch('other.ts', 'c') },
  ]);
  await harness.answer('approve');
  await harness.idle();
  const given = () => {
    const { env = {}, envFiles = {} } = harness.commands.ran.at(-1)?.spec ?? {};
    const file = envFiles.DATA_IN;
    return file === undefined ? env.DATA_IN : harness.textFiles.files.get(file.slice(-68, -4));
  };
  expect(JSON.parse(String(given()))).toMatchObject([{ diff: whole }, { diff: patch('other.ts', 'c') }]);
  const revised = {
    type: 'capture.revised' as const,
    captureId: 1,
    diff: taken('less'),
    files: [added('small.ts', 1)],
    by: 'operator',
  };
  await harness.engine.command(1, () => ({ ok: true, value: [revised] }));
  expect(output(harness, 'diff_out')).toMatchObject([{ diff: 'less' }, { diff: patch('other.ts', 'c') }]);
});
