import { type WorkflowDefinition, workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { ok } from '@contract/result';
import { stepRegistry } from '@features/core';
import { makePlan } from '@main/core/engine/plan/plan';
import { brokenActivations } from '@main/core/engine/resume/broken-activations';
import { fakeProfile, Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';

const call = (config: object, more: object = {}) => ({
  id: 'deploy',
  type: 'step.workflow',
  config,
  ...more,
});
const body = (steps: readonly object[], cables: readonly object[] = []) => ({ body: { steps, cables } });
const each = (items: unknown, more: object = {}) => ({ for_each: { items, ...more } });
const prompts = (harness: Harness) => harness.agents.sent.map(({ request }) => request.prompt);

function ended(harness: Harness, key: string) {
  const id = harness.state().steps[key]?.activationIds.at(-1);
  return harness.state().activations[id ?? 0];
}

test('A body runs once, with inputs of its own, and gives out the output of its last step', async () => {
  const harness = new Harness();
  harness.agents.answer = ({ request }) => ({
    response: request.prompt.includes('build') ? 'built' : 'shipped',
  });
  const steps = [task('build', { instruction: 'build $INPUTS.name for $INPUTS.who' }), task('ship')];
  const inner = body(steps, [{ from: 'build.data_out', to: 'ship.data_in' }]);
  await harness.run(
    {
      inputs: { who: { type: 'string' } },
      steps: [task('plan'), call({ ...inner, inputs: { name: 'v$plan.output' } })],
      cables: [{ from: 'plan.data_out', to: 'deploy.data_in' }],
    },
    { inputs: { who: 'Ada' } },
  );
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(Object.keys(harness.state().scopes)).toEqual(['deploy']);
  expect(prompts(harness)[1]).toContain('build vshipped for Ada');
  expect(ended(harness, 'deploy')?.outputs.data_out?.content).toBe('shipped');
});

test('A step for each item runs at most max_parallel at a time and joins the outputs in item order', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  const inner = body([task('do', { instruction: 'do $ITEM, also $INPUTS.file' })]);
  const config = { ...inner, ...each(['a', 'b', { c: 1 }], { as: 'file', max_parallel: 2 }) };
  await harness.run({ max_parallel: 8, steps: [call(config)] });
  expect(prompts(harness)).toEqual([
    expect.stringContaining('do a, also a'),
    expect.stringContaining('do b, also b'),
  ]);
  harness.agents.sent[1]?.end({ response: 'B' });
  await harness.idle();
  expect(prompts(harness)[2]).toContain('do {"c":1}, also {"c":1}');
  harness.agents.sent[2]?.end({ response: 'C' });
  harness.agents.sent[0]?.end({ response: 'A' });
  await harness.idle();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(ended(harness, 'deploy')?.outputs.data_out?.content).toEqual(['A', 'B', 'C']);
  expect(ended(harness, 'deploy[2]/do')?.outcome).toBe('succeeded');
});

test('The list of items can be what a step before it gave out', async () => {
  const harness = new Harness();
  harness.agents.answer = ({ request }) => ({
    response: request.prompt.includes('do plan') ? '```json\n["x", "y"]\n```' : 'ok',
  });
  const inner = body([task('do', { instruction: 'do $ITEM' })]);
  await harness.run({
    steps: [task('plan'), call({ ...inner, ...each('$plan.output') })],
    cables: [{ from: 'plan.data_out', to: 'deploy.data_in' }],
  });
  expect(ended(harness, 'deploy')?.outputs.data_out?.content).toEqual(['ok', 'ok']);
});

test('A list that is none fails the step with one clear error, an empty one succeeds with nothing', async () => {
  const run = async (list: string) => {
    const harness = new Harness();
    harness.agents.answer = () => ({ response: list });
    const config = { ...body([task('do')]), ...each('$plan.output') };
    await harness.run({
      steps: [task('plan'), call(config)],
      cables: [{ from: 'plan.signal_out', to: 'deploy.signal_in' }],
    });
    return ended(harness, 'deploy');
  };
  expect(await run('three things')).toMatchObject({
    outcome: 'failed',
    error: { code: 'reference.not_json' },
  });
  expect(await run('{"a": 1}')).toMatchObject({ outcome: 'failed', error: { code: 'reference.not_json' } });
  expect(await run('[]')).toMatchObject({ outcome: 'succeeded', outputs: { data_out: { content: [] } } });
  const many = JSON.stringify(Array.from({ length: 100_000 }, (_, at) => at));
  expect(await run(many)).toMatchObject({
    outcome: 'failed',
    error: { code: 'input.invalid', message: '100000 items are too many' },
  });
});

test('With all_success the first item that fails stops the others and fails the step', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  const config = {
    ...body([task('do', { instruction: 'do $ITEM' })]),
    ...each(['a', 'b', 'c'], { max_parallel: 2 }),
  };
  await harness.run({ steps: [call(config)] });
  harness.agents.sent[1]?.end({ outcome: 'refused', stopReason: 'refusal' });
  await harness.idle();
  const state = harness.state();
  expect(state.turns[1]?.status).toBe('cancelled');
  expect(ended(harness, 'deploy')).toMatchObject({
    outcome: 'failed',
    error: { message: expect.stringMatching(/^item 2: /) },
  });
  expect(Object.keys(state.scopes)).toEqual(['deploy[1]', 'deploy[2]']);
  expect(state).toMatchObject({ status: 'finished', outcome: 'failed' });
});

test('With all_done every item runs and the steps behind go on, but the run is not green', async () => {
  const harness = new Harness();
  harness.agents.answer = ({ request }) =>
    request.prompt.includes('do b') ? { outcome: 'refused', stopReason: 'refusal' } : { response: 'ok' };
  const config = {
    ...body([task('do', { instruction: 'do $ITEM' })]),
    ...each(['a', 'b', 'c'], { join: 'all_done' }),
  };
  await harness.run({
    steps: [call(config), task('after')],
    cables: [{ from: 'deploy.data_out', to: 'after.data_in' }],
  });
  expect(ended(harness, 'deploy')?.outputs.data_out?.content).toEqual([
    'ok',
    { error: expect.stringMatching(/refus/) },
    'ok',
  ]);
  expect(ended(harness, 'after')?.outcome).toBe('succeeded');
  expect(harness.state()).toMatchObject({
    status: 'finished',
    outcome: 'failed',
    reason: '1 of 3 in "deploy" failed',
  });
});

test('After a resume the steps behind a fan-out of which an item had failed run again with the new outputs', async () => {
  const harness = new Harness();
  let refuses = true;
  harness.agents.answer = ({ request: { prompt } }) =>
    prompt.includes('do b') && refuses
      ? { outcome: 'refused', stopReason: 'refusal' }
      : { response: prompt.includes('after') ? prompt : 'ok' };
  const config = {
    ...body([task('do', { instruction: 'do $ITEM' })]),
    ...each(['a', 'b'], { join: 'all_done' }),
  };
  const nested = body(
    [
      { ...call(config), id: 'inner' },
      task('within', { instruction: 'after: $inner.output', prompt: 'template' }),
    ],
    [{ from: 'inner.signal_out', to: 'within.signal_in' }],
  );
  await harness.run({
    steps: [
      call(config),
      task('behind', { instruction: 'after: $deploy.output', prompt: 'template' }),
      { ...call(nested), id: 'outer' },
    ],
    cables: [{ from: 'deploy.signal_out', to: 'behind.signal_in' }],
  });
  const said = (key: string) =>
    JSON.stringify(ended(harness, key)?.outputs.data_out?.content).replace(/\\n|\s/g, '');
  expect([said('behind'), said('outer/within')].every((text) => text.includes('error'))).toBe(true);
  refuses = false;
  await harness.restart();
  const activationIds = brokenActivations(harness.state());
  await harness.engine.command(1, () => ok([{ type: 'run.resumed', activationIds, by: 'test' }]));
  await harness.idle();
  expect(said('behind')).toContain('[\\"ok\\",\\"ok\\"]');
  expect(said('outer/within')).toContain('[\\"ok\\",\\"ok\\"]');
  expect(said('outer')).toContain('[\\"ok\\",\\"ok\\"]');
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
});

test('Gates of two items can be open at once and are answered in any order', async () => {
  const harness = new Harness();
  const config = {
    ...body([{ id: 'ok', type: 'step.approval', config: { message: 'take $ITEM?' } }]),
    ...each(['a', 'b']),
  };
  await harness.run({ max_parallel: 1, steps: [call(config)] });
  const open = Object.values(harness.state().gates).filter(({ status }) => status === 'open');
  expect(open.map(({ title, message }) => [title, message])).toEqual([
    ['deploy 1 › ok', 'take a?'],
    ['deploy 2 › ok', 'take b?'],
  ]);
  await harness.restart();
  await harness.answer('approve', { gateId: open[1]?.id ?? 0 });
  await harness.answer('approve', { gateId: open[0]?.id ?? 0 });
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
});

const context = { registry: stepRegistry, profiles: { fake: fakeProfile }, defaultProfile: null };
const file = (name: string, steps: readonly object[], more: object = {}) =>
  workflowDefinitionSchema.parse({ name, steps, ...more });

test('A called file sees its own inputs and steps only, and its defaults count', async () => {
  const child = file(
    'child',
    [task('say', { instruction: 'say $INPUTS.word to $INPUTS.whom, not $plan.output' })],
    {
      inputs: { word: {}, whom: { default: 'all' } },
    },
  );
  const parent = file(
    'parent',
    [task('plan'), call({ file: 'child.yaml', inputs: { word: '$plan.output!' } })],
    {
      cables: [{ from: 'plan.signal_out', to: 'deploy.signal_in' }],
    },
  );
  const called = { 'child.yaml': child };
  expect(makePlan(parent, { ...context, called }).problems).toMatchObject([
    { severity: 'warning', where: { path: 'steps[1].config.file' } },
  ]);
  const harness = new Harness();
  harness.agents.answer = () => ({ response: 'hello' });
  await harness.run({ ...parent, steps: [...parent.steps] }, { called });
  expect(prompts(harness)[1]).toContain('say hello! to all, not');
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  await harness.restart();
  expect(harness.state().called).toEqual(called);
});

test('Files that call each other, a missing file, and inputs that do not fit are refused at load', () => {
  const problems = (called: Record<string, WorkflowDefinition>, config: object) =>
    makePlan(file('w', [call(config)]), { ...context, called }).problems.map(({ code, message, where }) => [
      code,
      message,
      where?.path,
    ]);
  const a = file('a', [call({ file: 'b.yaml' })]);
  const b = file('b', [call({ file: 'a.yaml' })]);
  expect(problems({ 'a.yaml': a, 'b.yaml': b }, { file: 'a.yaml' })).toMatchObject([
    ['validation.cycle', expect.stringContaining('a.yaml calls b.yaml calls a.yaml'), 'steps[0].config.file'],
  ]);
  expect(problems({}, { file: 'gone.yaml' })).toMatchObject([
    ['validation.file_missing', expect.stringContaining('gone.yaml'), 'steps[0].config.file'],
  ]);
  const child = file('c', [task('x')], { inputs: { needed: {}, other: { default: 'y' } } });
  expect(problems({ 'c.yaml': child }, { file: 'c.yaml', inputs: { wrong: 1 } })).toMatchObject([
    ['validation.config', expect.stringContaining('no input "wrong"'), 'steps[0].config.inputs.wrong'],
    ['validation.config', expect.stringContaining('the input "needed"'), 'steps[0].config.inputs'],
  ]);
});

test('A reference from a body to a step that does not come before its owner is refused at load', () => {
  const inner = body([task('do', { instruction: '$later.output $ITEM $LOOP_PREV_OUTPUT' })]);
  const { problems } = makePlan(file('w', [call(inner), task('later')]), context);
  expect(problems.map(({ code, where }) => [code, where?.path])).toEqual([
    ['validation.reference_upstream', 'steps[0].config.body.steps[0].config.instruction'],
    ['validation.reference', 'steps[0].config.body.steps[0].config.instruction'],
    ['validation.reference', 'steps[0].config.body.steps[0].config.instruction'],
  ]);
});

test('A loop that someone else runs is watched from no body, inline or called', () => {
  const config = { worker: { acp_profile_id: 'fake' }, watch: {} };
  const ralph = { id: 'stories', type: 'step.ralph', config };
  const refused = (config: object, called: Record<string, WorkflowDefinition> = {}) =>
    makePlan(file('w', [call(config)]), { ...context, called }).problems.map(({ message }) => message);
  const told = expect.stringContaining('cannot be watched from the body of a step');
  expect(refused(body([ralph]))).toContainEqual(told);
  expect(refused({ file: 'c.yaml' }, { 'c.yaml': file('c', [ralph]) })).toContainEqual(told);
});

test('The limit of a profile counts over all items', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  const config = {
    ...body([task('do', { instruction: 'do $ITEM' })]),
    ...each(['a', 'b', 'c'], { max_parallel: 3 }),
  };
  const profiles = { fake: { ...fakeProfile, max_sessions: 2 } };
  await harness.run({ max_parallel: 8, steps: [call(config)] }, { profiles });
  expect(harness.agents.sent).toHaveLength(2);
  harness.agents.sent[0]?.end({ response: 'A' });
  await harness.idle();
  expect(prompts(harness).at(-1)).toContain('do c');
  expect(harness.agents.sent).toHaveLength(3);
});

test.each(['topic', 'ARGUMENTS'])('an item may not take the name of another value: %s', (as) => {
  const body = { steps: [task('a', { instruction: 'Use $INPUTS.topic.' })] };
  const config = { inputs: { topic: 'cats' }, for_each: { items: ['1'], as }, body };
  expect(makePlan(file('w', [call(config)]), context).problems).toMatchObject([
    { severity: 'error', message: expect.stringContaining(`"${as}" is already the name of another value`) },
  ]);
});

test('Items and their joined outputs keep the digits of their numbers', async () => {
  const harness = new Harness();
  const list = '[9007199254740993, 1.0, {"id": 9007199254740993, "name": "a, b"}, [1e3], "x"]';
  const format = {
    type: 'object',
    properties: { id: { type: 'integer' }, share: { type: 'number' } },
    required: ['id', 'share'],
  };
  const answer = '{"id": 9007199254740993, "share": 1.0}';
  harness.agents.answer = ({ request }) => ({
    response: request.prompt.includes('list them')
      ? list
      : request.prompt.startsWith('after')
        ? 'ok'
        : answer,
  });
  const inner = body([{ ...task('do', { instruction: 'do <$ITEM>' }), output_format: format }]);
  await harness.run({
    steps: [
      task('list', { instruction: 'list them' }),
      call({ ...inner, ...each('$list.output') }),
      task('after', { instruction: 'after $deploy.output', prompt: 'template' }),
    ],
    cables: [
      { from: 'list.signal_out', to: 'deploy.signal_in' },
      { from: 'deploy.signal_out', to: 'after.signal_in' },
    ],
  });
  const all = prompts(harness);
  expect(all.flatMap((prompt) => /do <(.*)>/.exec(prompt)?.[1] ?? [])).toEqual([
    '9007199254740993',
    '1.0',
    '{"id":9007199254740993,"name":"a, b"}',
    '[1e3]',
    'x',
  ]);
  const joined = Array.from({ length: 5 }, () => '{"id":9007199254740993,"share":1.0}').join(',');
  expect(all.at(-1)).toBe(`after [${joined}]`);
});

test('More items at the same time than the workflow allows is told, with the key that allows them', () => {
  const told = (workflow: object, more: object) =>
    makePlan(
      workflowDefinitionSchema.parse({
        name: 'w',
        steps: [call({ ...body([task('do')]), ...each(['a'], more) })],
        ...workflow,
      }),
      context,
    ).problems.map(({ severity, mend }) => [severity, mend]);
  expect(told({}, { max_parallel: 8 })).toEqual([
    ['warning', 'write max_parallel: 8 at the top of the workflow'],
  ]);
  expect(told({}, {})).toEqual([]);
  expect(told({ max_parallel: 8 }, { max_parallel: 8 })).toEqual([]);
});
