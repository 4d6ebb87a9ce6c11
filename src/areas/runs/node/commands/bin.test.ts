import { FakeCore } from '@main/api/testing/fake-core';
import { FakeLink } from '@main/cli/testing/fake-link';
import { program } from '@main/cli/testing/program';
import { row } from '@main/cli/testing/story';
import { expect, test } from 'vitest';

/** A row of a damaged database: its times are no times. */
const odd = {
  ...row,
  startedAt: Number.MAX_SAFE_INTEGER,
  at: -1,
  finishedAt: Number.MAX_SAFE_INTEGER,
  name: 'odd',
};

test('a run whose times cannot be read is listed, put into the bin, restored and deleted by the command line', async () => {
  const core = new FakeCore({
    'run.find': () => odd,
    'run.list': () => ({ rows: [odd], more: false }),
    'run.live': () => [],
    'attention.list': () => ({
      decisions: [],
      replies: [],
      failures: [],
      pulls: [],
      waits: [],
      snoozed: 0,
      count: 0,
    }),
    'run.bin': () => ({}),
    'run.restore': () => ({}),
    'run.purge': () => ({}),
  });
  for (const line of ['list', 'bin', 'bin put 1', 'bin restore 1', 'bin purge 1']) {
    const said = await program(line, new FakeLink(core));
    expect(said, line).toMatchObject({ code: 0, err: '' });
    expect(said.out, line).not.toMatch(/NaN|Infinity/);
  }
  const asked = core.calls.map(({ name }) => name).filter((name) => /bin|restore|purge/.test(name));
  expect(asked).toEqual(['run.bin', 'run.restore', 'run.purge']);
});
