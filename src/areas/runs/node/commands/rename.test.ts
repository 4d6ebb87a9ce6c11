import { FakeCore } from '@main/api/testing/fake-core';
import { FakeLink } from '@main/cli/testing/fake-link';
import { program } from '@main/cli/testing/program';
import { row } from '@main/cli/testing/story';
import { expect, test } from 'vitest';

const renaming = () =>
  new FakeCore({ 'run.find': () => row, 'run.rename': ({ name }) => ({ name: name ?? 'notes' }) });

test('a run is renamed from the command line, and gets its derived name back', async () => {
  const core = renaming();
  expect(await program('rename 1 " The leak "', new FakeLink(core))).toMatchObject({
    code: 0,
    out: 'Run 1 is named "The leak".\n',
  });
  expect((await program('rename 1', new FakeLink(core))).out).toBe('Run 1 is named "notes".\n');
  const asked = core.calls.filter(({ name }) => name === 'run.rename');
  expect(asked.map(({ input }) => input)).toEqual([
    { runId: 1, name: 'The leak', by: 'command line' },
    { runId: 1, name: null, by: 'command line' },
  ]);
});

test('a name of several lines, or of none, is refused before the run is looked for', async () => {
  for (const name of ['one\ntwo', ' ', 'x'.repeat(201)]) {
    const core = renaming();
    const said = await program(`rename 1 "${name}"`, new FakeLink(core));
    expect(said.err).toContain('a name is one line of at most 200 characters');
    expect([said.code, core.calls]).toEqual([2, []]);
  }
});
