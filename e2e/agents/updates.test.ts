/**
 * A real Codex works as a loop, and a real OpenClaw gateway receives its updates (`npm run test:agents -- -t
 * updates`).
 */
import { expect, onTestFinished, test } from 'vitest';
import { ids, setLoop } from './stage/loop';
import { openclawFolder, RealGateway } from './stage/openclaw';
import { finished, told } from './stage/runs';
import type { Stage } from './stage/stage';
import { until } from './stage/until';

const installed = openclawFolder();
const folder = 'folder' in installed ? installed.folder : null;
if ('missing' in installed) console.log(`skipped: ${installed.missing}`);

/** The loop's text, with marks that an update removes. */
const SAID = '## The story is **done**.\n\n- `prd.json` says so\n- SAY=noted\n\nResult: completed';

const target = { id: 'main', name: 'Main session', kind: 'openclaw', profile: 'claw' } as const;

/** Every update that the run has posted, oldest first, as in the feed. */
async function posted({ core }: Stage, runId: number): Promise<string[]> {
  const { rows } = await core.call('feed.list', { runId });
  return rows.map(({ text }) => text).reverse();
}

test.skipIf(folder === null)(
  "a loop's updates arrive in OpenClaw's main session, each once and line by line as it was posted",
  async () => {
    const gateway = await RealGateway.start(folder ?? '');
    onTestFinished(() => gateway.stop());
    const stage = await setLoop(SAID, { env: { CLAW_TOKEN: gateway.token } });
    await stage.core.call('agent.save', { profile: gateway.profile() });
    const deliveries = {
      targets: [{ ...target, enabled: true, filter: 'everything' as const }],
      giveUpDays: 1,
    };
    await stage.core.call('settings.set', { settings: { deliveries } });
    const runId = await stage.startRun();
    const state = await finished(stage, runId);
    expect(state.outcome, told(state)).toBe('succeeded');

    const texts = await posted(stage, runId);
    expect(texts).toEqual(
      ids.map((id, index) =>
        [
          `Iteration ${index + 1}/5`,
          `Story: ${id} - Story ${id}`,
          'Result: completed',
          `Commit: ${state.loops[1]?.attempts[index]?.judged?.commit}`,
          'Summary: The story is done.',
          'prd.json says so',
          'SAY=noted',
        ].join('\n'),
      ),
    );
    const delivered = () =>
      until('the delivery of all updates', async () => {
        const { rows } = await stage.core.call('delivery.list', { target: 'main' });
        // The last one announces the end of the run.
        return rows.length === texts.length + 1 && rows.every(({ state: at }) => at === 'delivered')
          ? rows
          : null;
      });
    const before = await delivered();
    const arrived = async () =>
      (await gateway.rows('main')).filter(
        ({ role, content }) => role === 'user' && says(content, 'Iteration '),
      );
    await until('all of them in the main session', async () => (await arrived()).length >= texts.length);
    const rows = await arrived();
    expect(rows.map(({ content }) => textOf(content))).toEqual(texts);
    for (const row of rows)
      expect(row.provenance).toMatchObject({
        kind: 'inter_session',
        sourceSessionKey: expect.stringMatching(/\/s\d+$/),
      });

    // An update delivered before a kill -9 is not delivered again.
    await stage.crash();
    await stage.restart();
    expect(await delivered()).toEqual(before);
    expect((await arrived()).map(({ content }) => textOf(content))).toEqual(texts);
  },
);

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [];
  return parts.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('');
};
const says = (content: unknown, words: string): boolean => textOf(content).includes(words);
