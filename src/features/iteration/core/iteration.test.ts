import { ok } from '@contract/result';
import { brokenActivations } from '@main/core/engine/resume/broken-activations';
import { Harness, task } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { withoutSignal } from './signal';

const agent = { acp_profile_id: 'fake' };
const loop = (config: object, more: object = {}) => ({
  id: 'review',
  type: 'step.loop',
  config: { max_iterations: 5, ...agent, ...config },
  ...more,
});
const body = (steps: readonly object[], cables: readonly object[] = []) => ({
  acp_profile_id: null,
  body: { steps, cables },
});

async function run(
  steps: readonly object[],
  answers: readonly string[],
  cables: readonly { from: string; to: string }[] = [],
) {
  const harness = new Harness();
  let next = 0;
  harness.agents.answer = () => ({ response: answers[next++] ?? 'nothing more' });
  await harness.run({ steps, cables: [...cables] }, { inputs: {} });
  return harness;
}

const prompts = (harness: Harness) => harness.agents.sent.map(({ request }) => request.prompt);
const step = (harness: Harness, key: string) => {
  const id = harness.state().steps[key]?.activationIds.at(-1);
  return harness.state().activations[id ?? 0];
};

test('A loop repeats its prompt until the signal stands in tags or alone on the last line', async () => {
  for (const last of ['All well.\n<promise>DONE</promise>', 'All well.\nDONE', 'All well.\n**DONE**']) {
    const harness = await run([loop({ prompt: 'go on', until: 'DONE' })], ['not DONE.', 'INCOMPLETE', last]);
    expect(harness.state(), last).toMatchObject({ status: 'finished', outcome: 'succeeded' });
    expect(Object.keys(harness.state().scopes)).toEqual(['review[1]', 'review[2]', 'review[3]']);
    expect(step(harness, 'review')?.outputs.data_out?.content).toBe('All well.');
    expect(step(harness, 'review')?.receipt).toMatchObject({ iterations: 3 });
  }
});

test('A loop that reaches max_iterations fails and keeps its last output', async () => {
  const harness = await run([loop({ prompt: 'go on', until: 'DONE', max_iterations: 2 })], ['one', 'two']);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
  const ended = step(harness, 'review');
  expect(ended).toMatchObject({ outcome: 'failed', error: { code: 'step.max_iterations' } });
  expect(ended?.outputs.data_out?.content).toBe('two');
});

test('A step behind a loop that failed is told why by its error, and one behind a loop that succeeded is told nothing', async () => {
  const tell = (config: object) =>
    run(
      [
        loop({ prompt: 'go on', until: 'DONE', ...config }),
        task('tell', { instruction: 'Why: [$review.error]' }, { trigger_rule: 'all_done' }),
      ],
      ['one', 'two', 'DONE'],
      [{ from: 'review.data_out', to: 'tell.context_in' }],
    );
  const failed = await tell({ max_iterations: 2 });
  expect(prompts(failed).at(-1)).toContain(`Why: [${step(failed, 'review')?.error?.message}]`);
  expect(step(failed, 'review')?.error?.message).not.toBe('');
  expect(prompts(await tell({ max_iterations: 3 })).at(-1)).toContain('Why: []');
});

test('Resuming a loop that made all its passes allows as many again, and no more', async () => {
  const flow = loop({ prompt: 'go on', until: 'DONE', max_iterations: 2 });
  const harness = await run([flow], ['one', 'two', 'three', 'four', 'five', 'DONE']);
  const resume = async () => {
    const activationIds = brokenActivations(harness.state());
    await harness.engine.command(1, () => ok([{ type: 'run.resumed', activationIds, by: 'test' }]));
    await harness.idle();
  };
  await resume();
  expect(step(harness, 'review')).toMatchObject({
    outcome: 'failed',
    error: { code: 'step.max_iterations' },
  });
  expect(prompts(harness)).toHaveLength(4);
  await harness.restart();
  await resume();
  expect(step(harness, 'review')).toMatchObject({ outcome: 'succeeded', receipt: { iterations: 6 } });
  const updates = harness.events().flatMap((event) => (event.type === 'update.posted' ? [event.text] : []));
  expect(updates.map((text) => text.split('\n')[0])).toEqual(
    [1, 2, 3, 4, 5, 6].map((number) => `Iteration ${number}/${Math.ceil(number / 2) * 2}`),
  );
});

test('Resuming a loop whose pass failed makes that pass again and allows no more passes than before', async () => {
  const harness = new Harness();
  let refuses = true;
  harness.agents.answer = () => {
    if (harness.agents.sent.length === 2 && refuses) return { outcome: 'refused', stopReason: 'refusal' };
    return { response: 'more' };
  };
  await harness.run({ steps: [loop({ prompt: 'go on', until: 'DONE', max_iterations: 2 })] });
  expect(harness.state().outcome).toBe('failed');
  refuses = false;
  const activationIds = brokenActivations(harness.state());
  await harness.engine.command(1, () => ok([{ type: 'run.resumed', activationIds, by: 'test' }]));
  await harness.idle();
  expect(Object.keys(harness.state().scopes)).toEqual(['review[1]', 'review[2]']);
  expect(step(harness, 'review')).toMatchObject({ error: { code: 'step.max_iterations' } });
});

test('Each pass gets the output of the pass before without its signal, and the first one none', async () => {
  const prompt = 'Before: [$LOOP_PREV_OUTPUT]';
  const harness = await run([loop({ prompt, until: 'DONE' })], ['first $ARGUMENTS', 'x\n<a>DONE</a>']);
  expect(prompts(harness)).toEqual([
    expect.stringContaining('Before: []'),
    expect.stringContaining('Before: [first $ARGUMENTS]'),
  ]);
});

test('A shared session keeps the conversation from pass to pass, a fresh one begins a new one in each', async () => {
  const shared = await run([loop({ prompt: 'go', until: 'DONE', session: 'shared' })], ['a', 'b', 'DONE']);
  expect(Object.keys(shared.state().sessions)).toHaveLength(1);
  const fresh = await run([loop({ prompt: 'go', until: 'DONE' })], ['a', 'b', 'DONE']);
  expect(Object.keys(fresh.state().sessions)).toHaveLength(3);
  expect(Object.values(fresh.state().sessions).map(({ status }) => status)).toEqual([
    'closed',
    'closed',
    'closed',
  ]);
});

test('A loop posts one update for each pass', async () => {
  const harness = await run([loop({ prompt: 'go', until: 'DONE' })], ['one', 'two\nDONE']);
  const told = harness.events().flatMap((event) => (event.type === 'update.posted' ? [event.text] : []));
  expect(told).toEqual([
    'Iteration 1/5\nStory: review - review\nResult: completed\nCommit: none\nSummary: one',
    'Iteration 2/5\nStory: review - review\nResult: completed\nCommit: none\nSummary: two',
  ]);
});

test('A check command ends a loop when it exits with 0', async () => {
  const harness = new Harness();
  harness.commands.answer = () => ({ exitCode: harness.commands.ran.length < 2 ? 1 : 0 });
  await harness.run({ steps: [loop({ prompt: 'go', until_command: 'npm test' })] });
  expect(harness.state()).toMatchObject({ outcome: 'succeeded' });
  expect(harness.commands.ran).toHaveLength(2);
  expect(harness.commands.ran[0]?.env.LOOP_PREV_OUTPUT).toContain('answer to:');
});

test('A boolean field of the output ends a loop; an output without it fails the loop', async () => {
  const config = { prompt: 'go', until_field: 'done' };
  const good = await run([loop(config)], ['{"done": false}', '```json\n{"done": true}\n```']);
  expect(good.state()).toMatchObject({ outcome: 'succeeded' });
  const bad = await run([loop(config)], ['{"done": "yes"}']);
  expect(step(bad, 'review')).toMatchObject({
    outcome: 'failed',
    error: { code: 'reference.missing_field' },
  });
});

test('A body runs all of its steps in each pass, in scopes of their own', async () => {
  const steps = [
    task('fix', { instruction: 'fix, before: [$LOOP_PREV.check.output]' }),
    task('check', { instruction: 'check [$fix.output]' }),
  ];
  const inner = body(steps, [{ from: 'fix.data_out', to: 'check.data_in' }]);
  const harness = await run(
    [loop({ ...inner, until: 'DONE' }), task('after')],
    ['fixed 1', 'bad', 'fixed 2', 'good\nDONE', 'end'],
    [{ from: 'review.data_out', to: 'after.data_in' }],
  );
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  const started = harness
    .events()
    .flatMap((event) => (event.type === 'activation.started' ? [event.stepId] : []));
  expect(started).toEqual([
    'review',
    'review[1]/fix',
    'review[1]/check',
    'review[2]/fix',
    'review[2]/check',
    'after',
  ]);
  expect(prompts(harness)[0]).toContain('before: []');
  expect(prompts(harness)[1]).toContain('check [fixed 1]');
  expect(prompts(harness)[2]).toContain('before: [bad]');
  expect(prompts(harness)[4]).toContain('good');
});

test('The inputs of a loop are on the ports of the first steps of each pass', async () => {
  const harness = await run(
    [task('plan'), loop({ prompt: 'do it', until: 'DONE' })],
    ['the plan', 'one', 'DONE'],
    [{ from: 'plan.data_out', to: 'review.data_in' }],
  );
  expect(prompts(harness)[1]).toContain('the plan');
  expect(prompts(harness)[2]).toContain('the plan');
});

test('A step that fails in a pass fails the loop and the run, and a resume goes on in that pass', async () => {
  const harness = new Harness();
  let broken = true;
  harness.agents.answer = ({ request }) => {
    if (!request.prompt.includes('again')) return { response: 'ok' };
    return broken ? { outcome: 'refused', stopReason: 'refusal' } : { response: 'ok\nDONE' };
  };
  const inner = body([task('first'), task('again')], [{ from: 'first.data_out', to: 'again.data_in' }]);
  await harness.run({
    steps: [loop({ ...inner, until: 'DONE' }), task('after')],
    cables: [{ from: 'review.data_out', to: 'after.data_in' }],
  });
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
  expect(step(harness, 'after')).toBeUndefined();
  broken = false;
  const failed = ['review', 'review[1]/again'].flatMap((key) => step(harness, key)?.id ?? []);
  await harness.engine.command(1, () => ({
    ok: true,
    value: [{ type: 'run.resumed', by: 'test', activationIds: failed }],
  }));
  await harness.idle();
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(prompts(harness).filter((prompt) => prompt.includes('do first'))).toHaveLength(1);
});

test('The operator speaks between the passes of an interactive loop, and ends it with an empty answer', async () => {
  const prompt = 'Said: [$LOOP_USER_INPUT] before: [$LOOP_PREV_OUTPUT]';
  const gate_message = 'What now?';
  const harness = await run(
    [loop({ prompt, until: 'DONE', interactive: true, gate_message })],
    ['one', 'two', 'three\nDONE'],
  );
  expect(harness.state().gates[1]).toMatchObject({
    status: 'open',
    title: 'review',
    message: expect.stringContaining('What now?'),
  });
  await harness.answer('answer', { text: 'more of $it' });
  await harness.answer('answer', { text: 'and less' });
  expect(prompts(harness)[1]).toContain('Said: [more of $it] before: [one]');
  expect(prompts(harness)[2]).toContain('Said: [and less] before: [two]');
  expect(harness.state().gates[3]?.status).toBe('open');
  await harness.answer('answer', { text: ' ' });
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(harness.agents.sent, 'no further turn').toHaveLength(3);
});

test('A text at the gate of a loop that has said it is done makes one more pass', async () => {
  const harness = await run(
    [loop({ prompt: 'go: $LOOP_USER_INPUT', until: 'DONE', interactive: true })],
    ['x\nDONE', 'y\nDONE'],
  );
  await harness.answer('answer', { text: 'once more' });
  expect(prompts(harness)[1]).toContain('go: once more');
  await harness.answer('finish');
  expect(harness.state()).toMatchObject({ outcome: 'succeeded' });
});

test('An interactive loop asks after its last pass too, and takes what the operator decides', async () => {
  const flow = { prompt: 'go: $LOOP_USER_INPUT', interactive: true, max_iterations: 2 };
  const asked = async () => {
    const harness = await run([loop(flow)], ['one', 'two', 'three']);
    await harness.answer('answer', { text: 'more' });
    return harness;
  };
  const finished = await asked();
  const gate = finished.state().gates[2];
  expect(gate?.message).toBe(
    'Take this output?\n\nPass 2, the last one, has ended. It does not say that the work is done.',
  );
  expect(gate?.options.map(({ id }) => id)).toEqual(['finish', 'fail', 'stop']);
  await finished.answer('finish');
  expect(finished.state()).toMatchObject({ status: 'finished', outcome: 'succeeded' });
  expect(step(finished, 'review')?.outputs.data_out?.content).toBe('two');
  const rejected = await asked();
  await rejected.answer('stop', { reason: 'no' });
  expect(rejected.state()).toMatchObject({ status: 'finished', outcome: 'rejected' });
  const failed = await asked();
  await failed.restart();
  await failed.answer('fail');
  expect(step(failed, 'review')?.error?.code).toBe('step.max_iterations');
  await failed.engine.command(1, () =>
    ok([{ type: 'run.resumed', activationIds: brokenActivations(failed.state()), by: 'test' }]),
  );
  await failed.idle();
  expect(failed.agents.sent, 'resuming allows further passes').toHaveLength(3);
});

test('An interactive loop whose last pass says it is done is asked about, without a way to fail it', async () => {
  const harness = await run(
    [loop({ prompt: 'go', until: 'DONE', interactive: true, max_iterations: 1 })],
    ['x\nDONE'],
  );
  expect(harness.state().gates[1]?.options.map(({ id }) => id)).toEqual(['finish', 'stop']);
  await harness.answer('finish');
  expect(harness.state()).toMatchObject({ outcome: 'succeeded' });
});

test('A core that is killed at a gate of a loop goes on with the output of the pass before', async () => {
  const harness = await run(
    [loop({ prompt: 'before: [$LOOP_PREV_OUTPUT]', until: 'DONE', interactive: true })],
    ['one', 'DONE'],
  );
  await harness.restart();
  await harness.answer('answer', { text: 'go' });
  expect(prompts(harness)[1]).toContain('before: [one]');
  expect(harness.agents.sent).toHaveLength(2);
});

test('A cancelled run leaves nothing of a loop in a loop running', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  const inner = loop({ prompt: 'deep', until: 'DONE' }, { id: 'inner' });
  await harness.run({ steps: [loop({ ...body([inner]), until: 'DONE' })] });
  expect(harness.state().steps['review[1]/inner[1]/pass']?.activationIds).toHaveLength(1);
  await harness.cancel();
  const state = harness.state();
  expect(state).toMatchObject({ status: 'finished', outcome: 'cancelled' });
  expect(Object.values(state.activations).map(({ outcome }) => outcome)).toEqual([
    'cancelled',
    'cancelled',
    'cancelled',
  ]);
  expect(Object.values(state.sessions).every(({ status }) => status !== 'ready')).toBe(true);
});

test('A loop that runs longer than its time limit stops what runs in it', async () => {
  const harness = new Harness();
  harness.agents.answer = () => null;
  await harness.run({ steps: [loop({ prompt: 'go', until: 'DONE' }, { timeout_minutes: 1 })] });
  harness.clock.advance(60_000);
  await harness.idle();
  expect(harness.state().turns[1]?.status).toBe('cancelled');
  expect(step(harness, 'review')).toMatchObject({ outcome: 'failed', error: { code: 'step.timeout' } });
  expect(harness.state().scopes['review[1]']).toMatchObject({ status: 'ended', outcome: 'cancelled' });
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
});

test('A loop takes no place of its own among the steps that work', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ response: 'DONE' });
  await harness.run({ max_parallel: 1, steps: [loop({ prompt: 'go', until: 'DONE' })] });
  expect(harness.state()).toMatchObject({ outcome: 'succeeded' });
});

test('Tags of a promise that is not the signal do not reach the next pass', () => {
  expect(withoutSignal('Half of it.\n<promise>NOT YET</promise>\n', 'DONE')).toBe('Half of it.');
  expect(withoutSignal('All of it.\n<promise>DONE</promise>', 'DONE')).toBe('All of it.');
  expect(withoutSignal('<b>bold</b> and <promise>more', 'DONE')).toBe('<b>bold</b> and <promise>more');
  expect(withoutSignal('Half.\n<promise>NOT YET</promise>', undefined)).toBe('Half.');
});
