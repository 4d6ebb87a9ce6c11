import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeCore } from '@main/api/testing/fake-core';
import { EXIT } from '@main/cli/exit';
import { runProgram } from '@main/cli/program';
import { FakeLink } from '@main/cli/testing/fake-link';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { expect, test } from 'vitest';

const error = { code: 'reference.not_run', message: '"a" has not run' };
const expanded = {
  problems: [],
  templates: [
    { step: 'b', path: 'instruction', text: 'Use short.', warnings: [], error: null },
    { step: 'b', path: 'when', text: null, warnings: [], error },
  ],
};
const tried = {
  problems: [],
  entries: [
    { kind: 'command', step: 'a', text: 'git push' },
    { kind: 'gate', step: 'ok', text: 'Ship it?', answer: 'approve' },
    { kind: 'skip', step: 'c', text: 'its condition is false' },
  ],
  outcome: 'succeeded',
  reason: null,
};

const program = (...args: string[]) => programIn(tried, ...args);

async function programIn(tried: object, ...args: string[]) {
  const core = new FakeCore({
    'workflow.expand': () => expanded,
    'workflow.dry-run': () => tried,
    'workflow.inputs': () => ({}),
  });
  const { world, said } = fakeWorld(args, new FakeLink(core));
  const code = await runProgram(world);
  return { code, ...said, calls: core.calls };
}

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'muster-trial-')), 'values.json');
  writeFileSync(file, text);
  return file;
}

test('the verb expand prints each expanded template or the code of its error, and fails where there is one', async () => {
  const values = fileOf('{"steps": {"a": {"output": {"summary": "short"}}}}');
  const told = await program('expand', 'w.yaml', '--values', values, '--step', 'b');
  expect(told.code).toBe(EXIT.failed);
  expect(told.out).toContain('b instruction\nUse short.');
  expect(told.out).toContain('reference.not_run: "a" has not run');
  expect(told.out).toContain('--values VALUES.json: outputs under "steps"');
  expect(told.calls.find(({ name }) => name === 'workflow.expand')?.input).toMatchObject({
    path: '/work/w.yaml',
    step: 'b',
    values: { steps: { a: { status: 'succeeded', output: { summary: 'short' } } } },
  });
  const json = await program('expand', 'w.yaml', '--json');
  expect(JSON.parse(json.out)).toMatchObject(expanded);
});

test('a file of values that cannot be used is one error that names it', async () => {
  for (const text of ['{', '{"steps": {"a": {"odd": 1}}}']) {
    const told = await program('expand', 'w.yaml', '--values', fileOf(text));
    expect(told.code).not.toBe(EXIT.ok);
    expect(told.err).toContain('values.json');
    expect(told.calls).toEqual([]);
  }
});

test('a dry run prints commands, questions and skips in their order', async () => {
  const { code, out, err } = await program('run', fileOf('name: w\n'), '--dry-run');
  expect([code, err]).toEqual([EXIT.ok, '']);
  const places = [
    'a  would run',
    'git push',
    'ok  asks you, answered here: approve',
    'c  is skipped',
    'Dry run: succeeded',
  ];
  const found = places.map((text) => out.indexOf(text));
  expect(found.every((at) => at >= 0)).toBe(true);
  expect([...found].sort((one, other) => one - other)).toEqual(found);
});

test('a dry run that fails says how to give the outputs that it lacked, until they are given', async () => {
  const failed = { ...tried, outcome: 'failed' };
  const workflow = fileOf('name: w\n');
  expect((await programIn(failed, 'run', workflow, '--dry-run')).out).toContain('--values VALUES.json');
  const given = await programIn(failed, 'run', workflow, '--dry-run', '--values', fileOf('{}'));
  expect(given.out).not.toContain('--values');
  expect((await program('run', workflow, '--dry-run')).out).not.toContain('--values');
});
