import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredEvent } from '@contract/run/events';
import { makeProject } from './fixtures/project';
import { expect, scripted, test, WORKFLOW } from './fixtures/test';

const fileOf = (project: string) => join(project, WORKFLOW);

/** Prompts as the scripted agents of a run received them. */
const received = (artifactsDir: string): string[] =>
  readFileSync(join(artifactsDir, 'scripted-prompts.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).prompt);

const startOf = (out: string) => {
  const events: { event?: StoredEvent['event'] }[] = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const started = events.find(({ event }) => event?.type === 'run.started')?.event;
  if (started?.type !== 'run.started') throw new Error('no start');
  return started;
};

test('the output of one step is inserted into the prompt of the next, from the file to the agent', async ({
  cli,
}) => {
  const text = `name: Hand over
workspace: folder
steps:
  - id: plan
    type: step.agent_task
    config: {acp_profile_id: worker, instruction: Plan $ARGUMENTS.}
  - id: work
    type: step.agent_task
    config:
      acp_profile_id: worker
      instruction: |-
        Do what stands here: <$plan.output>
cables:
  - {from: plan.signal_out, to: work.signal_in}
`;
  const project = makeProject(scripted(text, 'default: The plan is $ARGUMENTS and $(id).\n'));
  const run = await cli.run('run', fileOf(project), '--instruction', 'the notes', '--json');
  expect([run.code, run.err]).toEqual([0, '']);
  const prompts = received(startOf(run.out).artifactsDir);
  expect(prompts[0]).toContain('Plan the notes.');
  expect(prompts[1]).toContain('Do what stands here: <The plan is $ARGUMENTS and $(id).>');
});

test('inputs, branch and folder of a run reach a script as variables, with every byte of them', async ({
  cli,
}) => {
  const text = `name: Variables
workspace: folder
inputs:
  title: {description: what it is called}
  times: {type: number, default: 2}
steps:
  - id: write
    type: step.command
    config:
      terminal: false
      script: |
        printf '%s|' "$INPUTS.title" $INPUTS.times $BASE_BRANCH $DOCS_DIR
        echo "$INPUTS.title" > "$ARTIFACTS_DIR/title" && cat "$ARTIFACTS_DIR/title"
`;
  const project = makeProject(scripted(text, 'default: Done.\n'));
  const title = `it's "$(touch ${project}/was-run)" $INPUTS.times \\`;
  const run = await cli.run('run', fileOf(project), '--input', `title=${title}`, '--json');
  expect([run.code, run.err]).toEqual([0, '']);
  const ended = run.out.split('\n').filter((line) => line.includes('"command.finished"'));
  const { event } = JSON.parse(ended[0] ?? '{}');
  expect(event.output).toBe(`${title}|2|main|docs/|${title}\n`);
  expect(existsSync(join(project, 'was-run'))).toBe(false);

  const missing = await cli.run('run', fileOf(project));
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining('--input title=VALUE') });
  const wrong = await cli.run('run', fileOf(project), '--input', 'title=x', '--input', 'times=many');
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('"times" is not a number') });
  const unknown = await cli.run('run', fileOf(project), '--input', 'titel=x');
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('its inputs are: title, times') });
});
