import { FakeCore } from '@main/api/testing/fake-core';
import { expect, test } from 'vitest';
import { workflowRoutes } from './workflow-routes';

const shown = { problems: [], entries: [], outcome: 'succeeded', reason: null };
const core = new FakeCore({
  'workflow.expand': () => ({ problems: [], templates: [] }),
  'workflow.dry-run': () => shown,
});

async function post(path: string, body: object) {
  const route = workflowRoutes.find((one) => one.path === path);
  return route?.handle({ core, words: {}, query: {}, body });
}

test('templates are expanded and workflows run dry for a file by its whole path', async () => {
  expect(await post('/workflows/expand', { path: '/p/w.yaml', step: 'a/b' })).toMatchObject({
    value: { body: { templates: [] } },
  });
  const values = { steps: { 'a/b': { output: 'x' } } };
  const run = await post('/workflows/dry-run', { path: '/p/w.yaml', values, inputs: { n: '1' } });
  expect(run).toMatchObject({ value: { body: shown } });
  expect(core.calls.at(-1)).toMatchObject({
    name: 'workflow.dry-run',
    input: { values: { steps: { 'a/b': { status: 'succeeded', output: 'x' } } }, inputs: { n: '1' } },
  });
});

test.each([{ path: 'w.yaml' }, { path: '/w.yaml', values: { odd: 1 } }, { path: '/w.yaml', odd: 1 }])(
  'the request %j is refused',
  async (body) => {
    expect(await post('/workflows/expand', body)).toMatchObject({ ok: false, error: { status: 400 } });
  },
);
