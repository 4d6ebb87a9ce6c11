import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { appError } from '@contract/errors';
import { expect, onTestFinished, test } from 'vitest';
import { FakeCore } from '../../api/testing/fake-core';
import { runProgram } from '../program';
import { FakeLink } from '../testing/fake-link';
import { fakeWorld } from '../testing/fake-world';
import { finished, started, working } from '../testing/story';

const result = {
  workspaceId: null,
  includedIn: null,
  stepId: null,
  agent: null,
  address: null,
  path: '/p/work',
  branch: 'muster/1',
  base: 'def',
  commit: 'abc',
  files: 3,
  uncommitted: 0,
  note: null,
  state: 'to_apply',
  applied: null,
};
const workflow = {
  projectId: 1,
  projectName: 'p',
  file: 'w.yaml',
  name: 'w',
  description: null,
  steps: [],
  problems: [],
  runnable: true,
  changedAt: 1,
  text: '',
  absolutePath: '',
  definition: null,
  ports: {},
};
/** The core refuses the call and ends its connection. */
const gone = (link: FakeLink) => {
  link.lose();
  return { ok: false, error: appError('unavailable', 'this Muster is shutting down') };
};

/** A run that ends at once, whose core answers everything until it is asked for the results. */
async function ask(results: readonly ((link: FakeLink) => unknown)[], end = finished('succeeded')) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'w.yaml'), '');
  const log: FakeCore = new FakeCore();
  log.commit(1, [started, working, ...end]);
  const events = ({ afterSeq }: { afterSeq: number }) => log.log.filter(({ seq }) => seq > afterSeq);
  const links = results.map((answer) => {
    const link: FakeLink = new FakeLink(
      new FakeCore({
        'project.add': () => ({ id: 1, path: folder, name: 'p', addedAt: 1, trouble: null }),
        'workflow.get': () => workflow,
        'run.start': () => ({ runId: 1 }),
        'run.events': events,
        'run.results': () => answer(link),
      }),
    );
    return link;
  });
  const { world, said, opened } = fakeWorld(['run', join(folder, 'w.yaml'), '--json'], links);
  const code = await runProgram(world);
  const records = said.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return {
    code,
    left: records.find(({ kind }) => kind === 'left'),
    modes: opened.map(({ options }) => options),
  };
}

test('the results of a run whose core has ended come from the next one, which resumes nothing', async () => {
  const { code, left, modes } = await ask([gone, gone, () => [result]]);
  expect([code, left]).toMatchObject([0, { results: [result] }]);
  expect(modes.slice(1)).toEqual([{ mode: 'reading' }, { mode: 'reading' }]);
});

test('results that cannot be read are named, and are not told as none', async () => {
  const error = appError('internal', 'the folder cannot be read');
  const { left } = await ask([() => ({ ok: false, error })]);
  expect(left).toMatchObject({ trouble: { message: 'the folder cannot be read' } });
});

test('an error of a core that is still there is the result, and no other core is asked', async () => {
  const error = appError('unavailable', 'the terminal host is not running');
  const { left, modes } = await ask([() => ({ ok: false, error }), () => [result]]);
  expect(left).toMatchObject({ trouble: { message: 'the terminal host is not running' } });
  expect(modes).toHaveLength(1);
});
