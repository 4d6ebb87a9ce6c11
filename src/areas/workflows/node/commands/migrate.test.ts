import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram, type World } from '@main/cli/program';
import { fakeWorld } from '@main/cli/testing/fake-world';
import { beforeEach, expect, test } from 'vitest';

const OLD = `name: x
steps:
  - id: a
    type: step.coding
    config:
      completion_mode: tests_pass
      test_command: npm test
      instruction: Build it.
      agents:
        - role: builder
`;
let folder: string;
const text = (name: string) => readFileSync(join(folder, name), 'utf8');

async function migrate(words: readonly string[], more: Partial<World> = {}) {
  const { world, said, opened } = fakeWorld(['migrate', ...words]);
  const code = await runProgram({ ...world, cwd: folder, ...more });
  return { code, ...said, opened };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'muster-cli-migrate-'));
  writeFileSync(join(folder, 'w.yaml'), OLD);
});

test('a migration that cannot ask shows the difference, writes nothing, exits with 3 and opens no core', async () => {
  const { code, out, err, opened } = await migrate(['w.yaml']);
  expect([code, opened]).toEqual([3, []]);
  expect(out).toContain('--- w.yaml\n+++ w.yaml\n@@ ');
  expect(out).toContain('-      completion_mode: tests_pass\n');
  expect(out).toContain('+      completion_mode: agent_signals\n');
  expect(err).toContain('--yes');
  expect([readdirSync(folder), text('w.yaml')]).toEqual([['w.yaml'], OLD]);
});

test('a migration with --yes is written and names the old file, and a second one has nothing to do', async () => {
  const { code, out } = await migrate(['w.yaml', '--yes']);
  expect([code, out]).toEqual([0, expect.stringContaining('the old file is kept as w.yaml.bak\n')]);
  expect(text('w.yaml.bak')).toBe(OLD);
  expect(text('w.yaml')).toContain(
    '      # test_command: npm test (removed: the agent runs the tests itself)\n',
  );
  expect(await migrate(['w.yaml', '--yes'])).toMatchObject({ code: 0, out: 'w.yaml: nothing to migrate\n' });
  expect(readdirSync(folder)).toEqual(['w.yaml', 'w.yaml.bak']);
});

test('a person at a terminal is asked about a migration: no leaves the file, yes writes it', async () => {
  const asked: string[] = [];
  const answer = (yes: boolean) => ({
    confirm: async (question: string) => {
      asked.push(question);
      return yes;
    },
  });
  expect(await migrate(['w.yaml'], answer(false))).toMatchObject({ code: 3, err: 'Nothing was written.\n' });
  expect(text('w.yaml')).toBe(OLD);
  expect(await migrate(['w.yaml'], answer(true))).toMatchObject({ code: 0 });
  expect(asked).toEqual(['Write this to w.yaml?', 'Write this to w.yaml?']);
  expect(readdirSync(folder)).toEqual(['w.yaml', 'w.yaml.bak']);
});

test('a migration with --json prints one document and never asks', async () => {
  const confirm = async () => {
    throw new Error('asked');
  };
  const seen = await migrate(['w.yaml', '--json'], { confirm });
  expect([seen.code, JSON.parse(seen.out)]).toEqual([
    3,
    expect.objectContaining({ file: 'w.yaml', migrated: false, backup: null }),
  ]);
  const done = await migrate(['w.yaml', '--json', '--yes'], { confirm });
  expect([done.code, JSON.parse(done.out)]).toMatchObject([
    0,
    {
      migrated: true,
      backup: 'w.yaml.bak',
      changes: [{ path: 'steps[0].config.completion_mode', line: 6 }, {}, {}],
    },
  ]);
});

test('a difference has colours only at a terminal', async () => {
  let out = '';
  const terminal = { isTTY: true, columns: 80, write: (said: string) => (out += said) };
  await migrate(['w.yaml'], { out: terminal });
  expect(out).toContain('\u001b[31m-      completion_mode: tests_pass\u001b[39m');
  expect((await migrate(['w.yaml'])).out).not.toContain('\u001b');
});

test('a missing file exits with 2, one that is no YAML with 3 and its line', async () => {
  expect(await migrate(['no.yaml'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no file no.yaml'),
  });
  writeFileSync(join(folder, 'w.yaml'), 'name: x\nsteps: [a\n');
  expect(await migrate(['w.yaml'])).toMatchObject({ code: 3, err: expect.stringContaining('w.yaml:') });
});
