import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { stepRegistry } from '@features/core';
import { expect, test } from 'vitest';
import { makePlan } from '../plan/plan';
import { fakeProfile, Harness, task } from '../testing/harness';

const after = (id: string, when: string, more: object = {}) => task(id, {}, { when, ...more });

/** `score` gives this answer; `next` follows it with a condition, then `last`. */
async function scored(answer: string, when: string): Promise<Harness> {
  const harness = new Harness();
  harness.agents.answer = ({ request: { prompt } }) =>
    prompt.includes('do score')
      ? answer === 'FAIL'
        ? { outcome: 'failed' }
        : { response: answer }
      : { response: 'ok' };
  await harness.run({
    steps: [task('score'), after('next', when, { trigger_rule: 'all_done' }), task('last')],
    cables: [
      { from: 'score.data_out', to: 'next.data_in' },
      { from: 'next.data_out', to: 'last.data_in' },
    ],
  });
  return harness;
}

test('A step whose condition holds runs, and one whose condition is false is skipped with it as the cause', async () => {
  const holds = await scored('{"n": 9}', '$score.output.n >= 5');
  expect(holds.state()).toMatchObject({ outcome: 'succeeded' });
  expect(holds.state().steps.next?.activationIds).toHaveLength(1);
  const skipped = await scored('{"n": 4}', '$score.output.n >= 5');
  const { steps, outcome } = skipped.state();
  expect(outcome, 'a skip is no failure').toBe('succeeded');
  expect(steps.next).toMatchObject({
    skipped: 'its condition is false: $score.output.n >= 5',
    skipCause: 'condition',
  });
  expect(steps.last).toMatchObject({ skipped: 'next was skipped', skipCause: 'upstream_skipped' });
});

test('A reference that cannot be resolved and a text under < fail the step and never skip it', async () => {
  for (const [answer, when, code] of [
    ['prose', '$score.output.n >= 5', 'reference.not_json'],
    ['{"m": 1}', '$score.output.n == 5', 'reference.missing_field'],
    ['{"n": "many"}', '$score.output.n < 5', 'reference.not_a_number'],
    ['FAIL', '$score.output.n == 5', 'reference.producer_failed'],
  ] as const) {
    const { steps, activations, outcome } = (await scored(answer, when)).state();
    expect(steps.next?.skipped, when).toBeNull();
    const next = activations[steps.next?.activationIds[0] ?? 0];
    expect({ outcome: next?.outcome, code: next?.error?.code }).toEqual({ outcome: 'failed', code });
    expect(outcome).toBe('failed');
  }
});

test('A condition can route on how a step ended', async () => {
  const harness = await scored('FAIL', "$score.status == 'failed'");
  expect(harness.state().steps.next?.activationIds).toHaveLength(1);
  expect(harness.state().outcome, 'what failed never makes a green run').toBe('failed');
});

test('The trigger rule is asked before the condition', async () => {
  const harness = new Harness();
  harness.agents.answer = () => ({ outcome: 'failed' });
  await harness.run({
    steps: [task('score'), after('next', '$score.output.n == 1')],
    cables: [{ from: 'score.data_out', to: 'next.data_in' }],
  });
  expect(harness.state().steps.next).toMatchObject({ activationIds: [], skipCause: 'upstream_failed' });
});

test('A resume does not run a step whose condition could not be decided', async () => {
  const harness = await scored('prose', '$score.output.n >= 5');
  const [id = 0] = harness.state().steps.next?.activationIds ?? [];
  const sent = harness.agents.sent.length;
  await harness.engine.command(1, () => ({
    ok: true,
    value: [{ type: 'run.resumed', by: 'test', activationIds: [id] }],
  }));
  await harness.idle();
  expect(harness.agents.sent).toHaveLength(sent);
  expect(harness.state()).toMatchObject({ status: 'finished', outcome: 'failed' });
});

test('A condition waits for every step that it reads, also where a skip between them is certain earlier', async () => {
  const harness = new Harness();
  harness.agents.answer = ({ request: { prompt } }) =>
    prompt.includes('do slow')
      ? null
      : prompt.includes('do quick')
        ? { outcome: 'failed' }
        : { response: 'ok' };
  await harness.run({
    steps: [
      task('slow'),
      task('quick'),
      task('join'),
      after('end', "$slow.status == 'succeeded'", { trigger_rule: 'all_done' }),
    ],
    cables: [
      { from: 'slow.data_out', to: 'join.data_in' },
      { from: 'quick.data_out', to: 'join.context_in' },
      { from: 'join.data_out', to: 'end.data_in' },
    ],
  });
  expect(harness.state().steps.join?.skipCause).toBe('upstream_failed');
  expect(harness.state().steps.end?.activationIds).toEqual([]);
  harness.agents.sent.find(({ request }) => request.prompt.includes('do slow'))?.end({ response: 'ok' });
  await harness.idle();
  expect(harness.state().steps.end?.activationIds).toHaveLength(1);
});

function problemsOf(when: string, first: object = task('a')) {
  const definition = workflowDefinitionSchema.parse({
    name: 'w',
    steps: [first, after('b', when), task('c')],
    cables: [{ from: 'a.data_out', to: 'b.data_in' }],
  });
  const { problems } = makePlan(definition, {
    registry: stepRegistry,
    profiles: { fake: fakeProfile },
    defaultProfile: null,
  });
  return problems.map(({ severity, code, where }) => `${severity} ${code} ${where?.path}`);
}

test('A condition is checked whole when the file is loaded', () => {
  for (const [when, code] of [
    ['$a.output.n ==', 'condition'],
    ['$a.output.n == 1 &&', 'condition'],
    ['$nowhere.output.n == 1', 'reference'],
    ["$nowhere.output == 'x'", 'reference'],
    ['$c.output.n == 1', 'reference_upstream'],
    ['$b.output.n == 1', 'reference_upstream'],
    ["$a.output.n < 'few'", 'condition'],
    ["$a.status == 'good'", 'condition'],
    ['$a.status < 1', 'condition'],
    ["$LOOP_PREV.a.output.n == 'x'", 'reference'],
    ["$LOOP_USER_INPUT == 'x'", 'reference'],
    ["$INPUTS.speed == 'fast'", 'reference'],
  ])
    expect(problemsOf(when ?? ''), when).toEqual([`error validation.${code} steps[1].when`]);
  expect(problemsOf('$nowhere.output.n == 1 && $c.output.n == 1')).toHaveLength(2);
  for (const when of [
    '$a.output.n >= 1',
    "$a.status != 'failed'",
    "!($a.output.ok == true) || $ARGUMENTS == ''",
  ])
    expect(problemsOf(when), when).toEqual([]);
});

test("Comparing an agent's whole free text is a warning, and comparing one of its fields, its status or a command's output is none", () => {
  const warning = ['warning validation.condition steps[1].when'];
  for (const when of ["$a.output == 'x'", "$a.output != 'x'", "$a.status == 'failed' || $a.output == 'x'"])
    expect(problemsOf(when), when).toEqual(warning);
  expect(problemsOf('$a.output > 5'), 'no error in place of the warning').toEqual(warning);
  expect(problemsOf("$a.output.n == 'x'")).toEqual([]);
  expect(problemsOf("$a.status == 'failed'")).toEqual([]);
  const said = { type: 'object', properties: { n: { type: 'string' } } };
  expect(problemsOf("$a.output == 'x'", task('a', {}, { output_format: said }))).toEqual([]);
  const command = { id: 'a', type: 'step.command', config: { script: 'echo x' } };
  expect(problemsOf("$a.output == 'x'", command)).toEqual([]);
});
