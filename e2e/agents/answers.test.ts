/**
 * A question of a loop that is answered through a real OpenClaw gateway (`npm run test:agents -- -t
 * answers`).
 */
import type { DeliveryTarget } from '@areas/deliveries/contract/target';
import { expect, onTestFinished, test } from 'vitest';
import { setLoop } from './stage/loop';
import { openclawFolder, RealGateway } from './stage/openclaw';
import { stateOf, told } from './stage/runs';
import { until } from './stage/until';

const installed = openclawFolder();
const folder = 'folder' in installed ? installed.folder : null;
if ('missing' in installed) console.log(`skipped: ${installed.missing}`);

const target: DeliveryTarget = {
  id: 'main',
  name: 'Main session',
  kind: 'openclaw',
  profile: 'claw',
  enabled: true,
  filter: 'trouble',
  sends: ['questions'],
  answers: 'questions',
};

/** The gateway's agent follows the delivery: it posts its answer to the address with the token. */
function answersByTool(gateway: RealGateway): void {
  gateway.models.script({
    when: ({ prompt, results, tools }) =>
      prompt.includes('To answer from here') && results.length === 0 && tools.length > 0,
    answer({ prompt, tools }) {
      const tool = tools.find(({ name }) => name === 'exec');
      if (!tool) throw new Error(`OpenClaw has no exec, but ${tools.map(({ name }) => name).join()}`);
      const url = /POST (http:\S+)/.exec(prompt)?.[1] ?? 'no address';
      const token = /"token":"([^"]+)"/.exec(prompt)?.[1] ?? 'no token';
      const body = JSON.stringify({ token, option: 'continue', text: 'The local one.' });
      const curl = `curl -sS --noproxy '*' -H 'content-type: application/json' -d '${body}' ${url}`;
      // Twice: a token allows one answer, and a repetition gets the same response.
      return { text: 'I will answer.', call: { tool, input: { command: `${curl}; ${curl}` } } };
    },
  });
  gateway.models.script({
    when: ({ prompt, results }) => prompt.includes('To answer from here') && results.length > 0,
    answer: { text: 'Answered.' },
  });
}

test.skipIf(folder === null)(
  "a question of a blocked loop is answered by the agent in OpenClaw's main session, once, and the loop goes on",
  async () => {
    const gateway = await RealGateway.start(folder ?? '');
    onTestFinished(() => gateway.stop());
    answersByTool(gateway);
    const stage = await setLoop('The story is done.\n\nResult: completed', {
      env: { CLAW_TOKEN: gateway.token },
      before: (models) =>
        models.script({
          when: ({ prompt }) => prompt.includes('Your story: ') && !prompt.includes('The local one.'),
          answer: { text: 'Which database is meant?\n\nResult: blocked' },
          times: 1,
        }),
    });
    await stage.core.call('agent.save', { profile: gateway.profile() });
    await stage.core.call('settings.set', {
      settings: { httpApi: { enabled: true, port: 0 }, deliveries: { targets: [target], giveUpDays: 1 } },
    });
    const runId = await stage.startRun();
    const state = await until('the end of the run', async () => {
      const now = await stateOf(stage, runId);
      return now.status === 'finished' ? now : null;
    });
    expect(state.outcome, told(state)).toBe('succeeded');

    const answered = Object.values(state.gates).filter(({ kind }) => kind === 'iteration_blocked');
    expect(answered).toMatchObject([
      {
        status: 'resolved',
        answer: { option: 'continue', text: 'The local one.' },
        by: 'Main session (delivery target)',
      },
    ]);
    const attempts = state.loops[1]?.attempts ?? [];
    expect(attempts.map(({ judged }) => judged?.result)).toEqual(['blocked', ...Array(3).fill('completed')]);
    const asked = stage.models.requests.flatMap(({ prompts }) => prompts);
    expect(asked.filter((prompt) => prompt.includes('The local one.'))).not.toEqual([]);
    // The tool passed Muster's response to its agent: both times the same.
    const tools = await until('the answers that the tool printed', async () => {
      const rows = JSON.stringify(await gateway.rows('main'));
      return rows.includes('Answered.') ? rows : null;
    });
    expect(tools.match(/Main session \(delivery target\)/g)).toHaveLength(2);
  },
);
