/**
 * Questions over documents with models at an address (`npm run test:agents -- -t "a question over
 * documents"`).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { agentProfileSchema } from '@areas/agents/contract/profile';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ModelServer, startModelServer } from '../fixtures/model-server';
import { makeProject } from '../fixtures/project';
import { RealCore } from './stage/core';
import { until } from './stage/until';

const ROOT = 'scripted';
const SMALL = 'scripted-small';

const block = (code: string): string => `Let me look.\n\`\`\`repl\n${code}\n\`\`\``;
const REPLIES = [
  block(
    'hits = [text for text in context if "key" in text]\nparts = llm_query_batched([("Which?", text) for text in hits])',
  ),
  block('result = " and ".join(sorted(parts))\nprint(result)'),
  'FINAL_VAR(result)',
];

async function openCore(api: 'openai' | 'anthropic', models: ModelServer): Promise<RealCore> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-question-'));
  const path = [dirname(process.execPath), process.env.PATH ?? ''].join(':');
  const env = { PATH: path, HOME: folder, LANG: 'C.UTF-8' };
  const core = await RealCore.start({ dataDir: join(folder, 'data'), env });
  onTestFinished(async () => {
    await core.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const base_url = api === 'openai' ? models.url : models.origin;
  for (const [id, model] of [
    ['big', ROOT],
    ['small', SMALL],
  ]) {
    const prices = id === 'big' ? { prices: { input: 10, output: 100 } } : {};
    const profile = agentProfileSchema.parse({
      kind: 'gateway',
      id,
      name: id,
      api,
      base_url,
      model,
      ...prices,
    });
    await core.call('agent.save', { profile });
  }
  return core;
}

describe.each(['openai', 'anthropic'] as const)(
  'a question over documents with an %s-compatible model',
  (api) => {
    test('a question over documents is answered by its code and the sub-model, verified, and shown with tokens and cost', async () => {
      const models = await startModelServer();
      onTestFinished(() => models.close());
      const usage = { input: 1_000, output: 100 };
      for (const text of REPLIES)
        models.script({ when: ({ model }) => model === ROOT, answer: { text, usage }, times: 1 });
      for (const text of ['red', 'blue'])
        models.script({ when: ({ model }) => model === SMALL, answer: { text, usage }, times: 1 });
      const core = await openCore(api, models);
      const path = makeProject({
        'docs/a.txt': 'a red key\n',
        'docs/b.txt': 'a blue key\n',
        'docs/c.txt': 'none\n',
      });
      const { id: projectId } = await core.call('project.add', { path });
      const { runId } = await core.call('rlm.start', {
        projectId,
        question: 'Which {keys}?',
        documents: ['docs'],
        root: { profile: 'big' },
        sub: { profile: 'small' },
        verify: { profile: 'small' },
        allowWeakSandbox: true,
      });
      const state = await until('the end of the question', async () => {
        const run = await core.call('run.get', { runId });
        return run.state.status === 'finished' ? run.state : null;
      });
      const [ended] = Object.values(state.activations);
      expect(state.outcome, JSON.stringify(ended?.error)).toBe('succeeded');
      expect(ended?.outputs.data_out?.content).toMatchObject({ merged_content: 'blue and red' });
      expect(ended?.receipt).toMatchObject({
        iterations: 3,
        sub_calls: 2,
        failed_sub_calls: 0,
        verification: { verified: false, trouble: expect.stringContaining('cites no document') },
      });
      // Three calls of the root model have a price: 3 x (1000 x 10 + 100 x 100) / 1e6. The sub-model has no
      // price.
      expect(state.spend.cost_usd).toBeCloseTo(0.06);
      expect(state.spend.tokens).toBe(5 * 1_100);
      expect(models.requests.filter(({ model }) => model === SMALL)).toHaveLength(2);
    });
  },
);
