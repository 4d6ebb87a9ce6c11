import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PromptLibrary } from '@areas/prompts/node/prompt-library';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { trialValuesSchema } from '../../contract/trial';
import { WorkflowFiles } from '../workflow-files';
import { WorkflowTrials } from './';
import { noPorts } from './testing/no-ports';

const WORKFLOW = `name: Notes
inputs: {lang: {default: English}}
steps:
  - id: score
    type: step.agent_task
    config: {instruction: "Score $ARGUMENTS in $INPUTS.lang", acp_profile_id: fake}
    output_format: {type: object, properties: {n: {type: integer, minimum: 3}}, required: [n]}
  - id: check
    type: step.agent_review_gate
    config: {instruction: Review it, acp_profile_id: fake}
  - id: show
    type: step.command
    when: $score.output.n > 5
    config: {script: 'echo "$score.output" $check.output'}
  - id: ask
    type: step.approval
    config: {message: "Good? $score.output.n", expires: {minutes: 5, outcome: reject}}
  - id: crew
    type: step.team
    config: {instruction: work, lead: operator, members: [{name: ana, agent: fake, prompt: work}]}
  - id: end
    type: step.agent_task
    trigger_rule: all_done
    config: {instruction: "Done", acp_profile_id: fake}
    retry: {max_attempts: 1, delay_seconds: 60, on: all}
cables:
  - {from: score.data_out, to: check.data_in}
  - {from: check.approved_out, to: show.data_in}
  - {from: check.approved_out, to: ask.data_in}
  - {from: ask.approved_out, to: crew.data_in}
  - {from: crew.data_out, to: end.data_in}
  - {from: show.signal_out, to: end.signal_in}
`;

/** References of a script become variables. */
const SCRIPT = `echo "$\{MUSTER_REF_1}" "$\{MUSTER_REF_2}"`;

function trials(text = WORKFLOW, others: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-trial-'));
  for (const [name, content] of Object.entries(others)) writeFileSync(join(folder, name), content);
  const path = join(folder, 'w.yaml');
  writeFileSync(path, text);
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: stepRegistry,
    profiles: () => ({ fake: fakeProfile }),
    defaultProfile: () => 'fake',
  });
  const logged: string[] = [];
  const say = (message: string) => void logged.push(message);
  const made = new WorkflowTrials({
    files,
    prompts: new PromptLibrary({ builtinDir: join('resources', 'prompts') }),
    registry: stepRegistry,
    ports: noPorts,
    logger: { info: say, warn: say, error: say },
    now: () => 1_000,
  });
  return { made, path, folder, logged };
}

async function shown(given: object, text?: string, others?: Readonly<Record<string, string>>) {
  const { made, path, folder, logged } = trials(text, others);
  const before = readdirSync(folder);
  const values = trialValuesSchema.parse(given);
  const result = await made.dryRun({ path, instruction: 'the notes', inputs: {}, values });
  if (!result.ok) throw new Error(result.error.message);
  expect(readdirSync(folder), 'nothing is left behind').toEqual(before);
  expect(logged).toEqual([]);
  const { outcome, problems } = result.value;
  const entries = result.value.entries.map(
    ({ kind, step, text: said }) => `${kind} ${step}: ${said.split('\n')[0]}`,
  );
  return { outcome, problems, entries, all: result.value.entries };
}

test('a dry run shows prompts, commands, questions and skips in their order, with samples as answers', async () => {
  const { outcome, problems, entries, all } = await shown({});
  expect(problems).toEqual([]);
  expect(entries).toEqual([
    'prompt score: Score the notes in English',
    'end score: ',
    'prompt check: Review it',
    'end check: ',
    'skip show: its condition is false: $score.output.n > 5',
    'gate ask: Good? 3',
    'end ask: ',
    'not_simulated crew: its work is left out of a dry run',
    'prompt end: Done',
    'end end: ',
  ]);
  expect(all.find(({ kind }) => kind === 'gate')?.answer).toBe('Approve');
  expect(outcome).toBe('succeeded');
});

test('the values of a dry run set the outputs of steps and the decisions on questions', async () => {
  const { outcome, entries, all } = await shown({
    steps: { score: { output: { n: 8 } }, ask: { output: 'reject' }, show: { status: 'failed' } },
  });
  expect(all.find(({ kind }) => kind === 'command')?.text).toBe(SCRIPT);
  expect(entries).toContain('end show: the command ended with exit code 1');
  expect(entries).toContain('gate ask: Good? 8');
  expect(outcome).toBe('rejected');
});

test('a failed step is retried in a dry run without waiting', async () => {
  const { entries, outcome } = await shown({ steps: { end: { status: 'failed' } } });
  expect(entries.filter((entry) => entry.startsWith('prompt end'))).toHaveLength(2);
  expect(outcome).toBe('failed');
});

test('a workflow that is not valid is not tried', async () => {
  const { problems, entries, outcome } = await shown(
    {},
    WORKFLOW.replace('$score.output.n > 5', '$nope.status > 1'),
  );
  expect(problems.some(({ code }) => code === 'validation.reference')).toBe(true);
  expect({ entries, outcome }).toEqual({ entries: [], outcome: null });
});

test('every template and condition is expanded with the values, or has the code of its error', async () => {
  const { made, path } = trials();
  const values = trialValuesSchema.parse({
    steps: { score: { output: { n: 8 } } },
    variables: { ARGUMENTS: '$score.output' },
    inputs: { lang: 'French' },
  });
  const result = await made.expand({ path, values });
  if (!result.ok) throw new Error(result.error.message);
  const { templates } = result.value;
  expect(templates.map(({ step, path: at, text, error }) => `${step} ${at}: ${text ?? error?.code}`)).toEqual(
    [
      'score instruction: Score $score.output in French',
      'show when: true',
      `show script: ${SCRIPT}`,
      'ask message: Good? 8',
    ],
  );
  expect(templates[2]?.env).toEqual({ MUSTER_REF_1: '{"n":8}', MUSTER_REF_2: '' });
  const missing = await made.expand({ path, step: 'ask', values: trialValuesSchema.parse({}) });
  expect(missing).toMatchObject({
    value: { templates: [{ text: null, error: { code: 'reference.not_run' } }] },
  });
  expect(await made.expand({ path, step: 'nope', values })).toMatchObject({
    error: { code: 'input.invalid' },
  });
});

const NESTED = `name: Nested
steps:
  - {id: list, type: step.command, config: {script: "echo []"}}
  - id: each
    type: step.workflow
    config:
      inputs: {tone: "as in $list.output"}
      for_each: {items: $list.output, as: file}
      body:
        steps:
          - {id: read, type: step.agent_task, config: {acp_profile_id: fake, prompt: template, instruction: "Read $ITEM ($INPUTS.tone)"}}
          - {id: say, type: step.command, when: $read.output == 'x', config: {script: 'echo "$read.output" "$list.output"'}}
        cables: [{from: read.signal_out, to: say.signal_in}]
cables: [{from: list.signal_out, to: each.signal_in}]
`;

test('steps in a body are expanded under their paths, with what the values say of the body and around it', async () => {
  const { made, path } = trials(NESTED);
  const values = trialValuesSchema.parse({
    steps: { list: { output: '["a"]' }, 'each/read': { output: 'x' } },
    variables: { ITEM: 'a.md' },
  });
  const result = await made.expand({ path, values });
  if (!result.ok) throw new Error(result.error.message);
  const texts = result.value.templates.map(({ step, path: at, text, env }) => [`${step} ${at}`, env ?? text]);
  expect(result.value.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(Object.fromEntries(texts)).toMatchObject({
    'each for_each.items': '["a"]',
    'each/read instruction': 'Read a.md (as in ["a"])',
    'each/say when': 'true',
    'each/say script': { MUSTER_REF_1: 'x', MUSTER_REF_2: '["a"]' },
  });
  const one = await made.expand({ path, values, step: 'each/say' });
  expect(one.ok && one.value.templates.map(({ step }) => step)).toEqual(['each/say', 'each/say']);
  const wrong = await made.expand({ path, values, step: 'say' });
  expect(wrong).toMatchObject({ error: { mend: 'use one of: list, each, each/read, each/say' } });
});

test('a dry run takes the instruction and the inputs from the values where the command gives none', async () => {
  const { made, path } = trials();
  const values = trialValuesSchema.parse({
    variables: { ARGUMENTS: 'the draft' },
    inputs: { lang: 'French' },
  });
  const asked = async (instruction: string, inputs: Record<string, string>) => {
    const tried = await made.dryRun({ path, instruction, inputs, values });
    if (!tried.ok) throw new Error(tried.error.message);
    return tried.value.entries[0]?.text;
  };
  expect(await asked('', {})).toContain('Score the draft in French');
  expect(await asked('the notes', { lang: 'Dutch' })).toContain('Score the notes in Dutch');
});

test('a loop is expanded as in its first pass', async () => {
  const loop =
    'type: step.loop, config: {prompt: "Polish. $LOOP_PREV_OUTPUT", acp_profile_id: fake, until: DONE, max_iterations: 2}';
  const { made, path } = trials(`name: Loop\nsteps: [{id: polish, ${loop}}]\n`);
  const result = await made.expand({ path, values: trialValuesSchema.parse({}) });
  expect(result).toMatchObject({ value: { templates: [{ text: 'Polish. ', error: null }] } });
});

const CALLING = `name: Calling
steps:
  - {id: look, type: step.command, config: {script: echo look}}
  - {id: check, type: step.workflow, config: {file: called.yaml, inputs: {what: $look.output}}}
  - {id: after, type: step.command, trigger_rule: all_done, config: {script: echo after}}
cables:
  - {from: look.signal_out, to: check.signal_in}
  - {from: check.signal_out, to: after.signal_in}
`;
const CALLED = `name: Called
inputs: {what: {}}
steps:
  - {id: read, type: step.agent_task, config: {acp_profile_id: fake, prompt: template, instruction: "Read $INPUTS.what"}}
  - {id: say, type: step.command, config: {script: echo said}}
`;

test('a dry run goes into the workflows that a workflow calls', async () => {
  const { entries, outcome } = await shown({ steps: { look: { output: 'the page' } } }, CALLING, {
    'called.yaml': CALLED,
  });
  expect(entries).toContain('prompt check/read: Read the page');
  expect(entries).toContain('command check/say: echo said');
  expect(outcome).toBe('succeeded');
});

test('steps that the values of a dry run skip are shown as skipped, in called workflows too', async () => {
  const skipped = { status: 'skipped' };
  const { entries, outcome } = await shown({ steps: { look: skipped, 'check/say': skipped } }, CALLING, {
    'called.yaml': CALLED,
  });
  expect(entries).toContain('skip look: the values of the dry run skip it');
  expect(entries).toContain('command after: echo after');
  expect(outcome).toBe('succeeded');
  const inside = await shown({ steps: { 'check/say': skipped } }, CALLING, { 'called.yaml': CALLED });
  expect(inside.entries).toContain('skip check/say: the values of the dry run skip it');
  expect(inside.entries).toContain('prompt check/read: Read (sample answer)');
});

test('a status that a dry run cannot begin with is refused with those that it can', async () => {
  const { made, path } = trials();
  const values = trialValuesSchema.parse({ steps: { score: { status: 'running' } } });
  expect(await made.dryRun({ path, instruction: '', inputs: {}, values })).toMatchObject({
    error: { code: 'input.invalid', mend: expect.stringContaining('skipped') },
  });
});

const LOOPING = `name: Looping
steps:
  - id: polish
    type: step.loop
    config:
      acp_profile_id: fake
      prompt: "Polish. The operator said: <$LOOP_USER_INPUT>"
      until: DONE
      max_iterations: 2
      interactive: true
`;

test('the answers of a dry run have no text of their own, and the given one where there is one', async () => {
  const prompts = ({ all }: Awaited<ReturnType<typeof shown>>) =>
    all.flatMap(({ kind, text }) => (kind === 'prompt' ? [/<(.*)>/.exec(text)?.[1]] : []));
  expect(prompts(await shown({}, LOOPING))).toEqual(['', '']);
  expect(prompts(await shown({ variables: { LOOP_USER_INPUT: 'Shorter.' } }, LOOPING))).toEqual([
    '',
    'Shorter.',
  ]);
});
