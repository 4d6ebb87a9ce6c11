import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '@contract/run/events';
import { Cli } from './fixtures/cli';
import { makeProject } from './fixtures/project';
import { test as base, expect, scripted, WORKFLOW } from './fixtures/test';

const test = base.extend<{ cli: Cli }>({
  cli: async ({ bench }, use) => {
    const cli = new Cli(bench.dataDir);
    await use(cli);
    await cli.end();
  },
});

const LOOP = `name: Rounds
workspace: folder
steps:
  - id: talk
    type: step.loop
    config:
      prompt: "Said: [$LOOP_USER_INPUT]. Before: [$LOOP_PREV_OUTPUT]."
      acp_profile_id: worker
      until: DONE
      max_iterations: 9
      interactive: true
      gate_message: What next?
`;

const prompts = (artifactsDir: string): string[] =>
  readFileSync(join(artifactsDir, 'scripted-prompts.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).prompt);

test('a loop carries the texts of three rounds from the command line to its agent, each core a new one', async ({
  cli,
}) => {
  const project = makeProject(scripted(LOOP, 'default: Noted $(id).\n'));
  const run = await cli.run('run', join(project, WORKFLOW), '--no-wait', '--json');
  expect([run.code, run.err]).toEqual([6, '']);
  const events: { event?: StoredEvent['event'] }[] = run.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const started = events.find(({ event }) => event?.type === 'run.started')?.event;
  if (started?.type !== 'run.started') throw new Error('no start');
  const texts = ['first, with $ARGUMENTS', 'second: it\'s "$(id)"', 'third'];
  for (const text of texts) expect((await cli.run('answer', '1', text)).code).toBe(6);
  expect((await cli.run('choose', '1', 'finish')).code).toBe(0);
  expect(prompts(started.artifactsDir)).toEqual([
    'Said: []. Before: [].',
    ...texts.map((text) => `Said: [${text}]. Before: [Noted $(id).].`),
  ]);
  const shown = await cli.run('show', '1');
  for (const pass of ['talk[1]/pass', 'talk[2]/pass', 'talk[4]/pass']) expect(shown.out).toContain(pass);
});
