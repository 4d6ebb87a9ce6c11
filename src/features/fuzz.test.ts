import { agentProfileSchema } from '@areas/agents/contract/profile';
import { promptSets } from '@areas/prompts/contract/sets';
import { type WorkflowDefinition, workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { runEventSchema } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import { LoopHarness, prompts as loopPrompts, passed } from '@features/loop/core/testing/loop';
import { prompts as teamPrompts } from '@features/team/core/testing/team';
import { makePlan } from '@main/core/engine/plan/plan';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { stepRegistry } from './core';

type Path = readonly (string | number)[];
type Json = Record<string | number, unknown>;

const VALUES: readonly unknown[] = [
  ...[0, 1, -1, 0.5, 33.333333, 1e-9, 2 ** 31, 2 ** 53, 1e17, 1e300, -1e300],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  ...[
    '',
    ' ',
    'constructor',
    '__proto__',
    'toString',
    'hasOwnProperty',
    'x'.repeat(5_000),
    '\u0000',
    '\ud800',
  ],
  ...[null, true, [], {}],
  ...[JSON.parse('{"__proto__":"x","constructor":"y"}'), ['constructor', '__proto__'], [Number.NaN]],
];

const modelProfile = agentProfileSchema.parse({
  kind: 'gateway',
  id: 'model',
  name: 'Model',
  api: 'openai',
  base_url: 'http://127.0.0.1:1/v1',
  model: 'm',
});
/** As frozen by the run; a question without documents sends none of them. */
const otherPrompts = Object.fromEntries(
  promptSets.flatMap(({ prompts }) => prompts.map(({ id }): [string, string] => [id, id])),
);

/** Every path in a schema's input that can hold a value. */
function placesIn(schema: z.core.$ZodType, path: Path = []): Path[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'lazy':
      return placesIn(def.getter(), path);
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
      return placesIn(def.innerType, path);
    case 'union':
      return def.options.flatMap((option) => placesIn(option, path));
    case 'object':
      return [
        path,
        ...Object.entries(def.shape).flatMap(([name, field]) => placesIn(field, [...path, name])),
      ];
    case 'array':
      return [path, ...placesIn(def.element, [...path, 0])];
    default:
      return [path];
  }
}

/** A copy with another value at this path; missing parts on the way are created. */
function changed(whole: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  const copy = (
    Array.isArray(whole)
      ? [...whole]
      : typeof whole === 'object' && whole !== null
        ? { ...whole }
        : typeof first === 'number'
          ? []
          : {}
  ) as Json;
  copy[first] = changed(copy[first], rest, value);
  return copy;
}

const agent = { acp_profile_id: 'fake' };
const member = { name: 'one', agent: 'fake', prompt: 'work', iterative: true };
const configs: Record<string, unknown> = {
  'step.agent_task': { instruction: 'write', ...agent },
  'step.coding': { instruction: 'write', agents: [{ role: 'coder', ...agent }] },
  'step.agent_review_gate': { instruction: 'review', ...agent },
  'step.red_team': { instruction: 'attack', ...agent },
  'step.team': { instruction: 'work', members: [member] },
  'step.ralph': { worker: agent, iterations: 3 },
  'step.approval': { message: 'go on?' },
  'step.command': { script: 'true' },
  'step.transform': { instruction: 'shorten', input: 'a long text', ...agent },
  'step.claim_extractor': { input: 'the sky is blue', ...agent },
  'step.judge': { target: 'a text', criteria: [{ id: 'clear', description: 'is it clear?' }], ...agent },
  'step.panel': {
    topic: 'tea',
    participants: [
      { name: 'Ana', ...agent },
      { name: 'Ben', ...agent },
    ],
    rounds: 1,
  },
  'step.workflow': { body: { steps: [{ id: 'in', type: 'step.command', config: { script: 'true' } }] } },
  'step.cancel': { reason: 'enough' },
  'step.experiment': {
    target: { id: 'in', type: 'step.agent_task', config: { instruction: 'write', ...agent } },
    variants: [
      { name: 'a' },
      { name: 'b', instruction_override: 'more', config_overrides: { re_prompts: ['x'] } },
    ],
  },
  'step.loop': { prompt: 'go', until: 'DONE', max_iterations: 2, ...agent },
  'step.rlm': { question: 'why?', documents: ['a.txt'], acp_profile_id: 'model' },
};
const stepOf = (type: string, config: unknown) => ({ id: 'one', type, config });

/** Runs a definition unless it is rejected; the run must read back unchanged, even after a kill. */
async function runsAndReads(definition: unknown): Promise<'refused' | 'ran'> {
  const read = workflowDefinitionSchema.safeParse(definition);
  if (!read.success) return 'refused';
  const profiles = { fake: fakeProfile, model: modelProfile };
  const { plan } = makePlan(read.data, { registry: stepRegistry, profiles, defaultProfile: null });
  if (plan === null) return 'refused';
  const harness = new LoopHarness();
  const { answer } = harness.agents;
  harness.deeds = [passed('US-001'), passed('US-002'), passed('US-003')];
  harness.agents.answer = (turn) =>
    turn.spec.env.MUSTER_LOOP_LOG === undefined ? { response: 'done' } : answer(turn);
  await harness.run(read.data as WorkflowDefinition, {
    profiles,
    prompts: { ...otherPrompts, ...loopPrompts, ...teamPrompts },
  });
  harness.clock.advance(3_600_000);
  await harness.idle();
  const before = harness.state();
  expect(harness.log.refused).toEqual([]);
  const readAgain = harness.log
    .read(1)
    .map((row) => ({ ...row, event: runEventSchema.parse(JSON.parse(JSON.stringify(row.event))) }));
  expect(replay(readAgain)).toEqual(before);
  await harness.restart();
  expect(harness.log.refused).toEqual([]);
  expect(harness.logged).toEqual([]);
  return 'ran';
}

async function tryAll(whole: unknown, paths: readonly Path[]): Promise<void> {
  const broken: string[] = [];
  for (const path of paths)
    for (const value of VALUES)
      await runsAndReads(changed(whole, path, value)).catch((cause: unknown) =>
        broken.push(
          `${path.join('.')} = ${JSON.stringify(value)} ${String(value).slice(0, 30)}: ${String(cause).slice(0, 300)}`,
        ),
      );
  expect(broken).toEqual([]);
}

test.each([...stepRegistry.values()].map((module) => [module.type, module] as const))(
  'any value in a field of %s is refused or the run reads after a restart',
  async (type, module) => {
    const config = configs[type];
    expect(await runsAndReads({ name: 'w', steps: [stepOf(type, config)] })).toBe('ran');
    const paths = placesIn(module.config).map((path) => ['steps', 0, 'config', ...path]);
    await tryAll({ name: 'w', steps: [stepOf(type, config)] }, paths);
  },
  60_000,
);

test.each([...stepRegistry.values()].map((module) => [module.type, module] as const))(
  'a cable from %s can order another step',
  (type, module) => {
    const { outputs } = module.bind(module.config.parse(configs[type])).ports;
    expect(outputs).toContainEqual(expect.objectContaining({ name: 'signal_out', kind: 'signal' }));
  },
);

test('any value in a field of a workflow is refused or the run reads after a restart', async () => {
  const task = stepOf('step.agent_task', configs['step.agent_task']);
  const steps = [task, { ...task, id: 'two' }];
  const cables = [{ from: 'one.data_out', to: 'two.data_in' }];
  await tryAll({ name: 'w', steps, cables }, placesIn(workflowDefinitionSchema));
}, 300_000);

test.each([
  [{ budget: { minutes: 525_601 } }, 'budget.minutes', 'at most 525600'],
  [
    { steps: [{ ...stepOf('step.command', { script: 'true' }), id: '__proto__' }] },
    'steps[0].id',
    'reserved',
  ],
])(
  'the configuration %j is refused at the start, and a stored run with it still reads',
  (change, path, words) => {
    const steps = [stepOf('step.command', { script: 'true' })];
    const definition = workflowDefinitionSchema.parse({ name: 'w', steps, ...change });
    const context = { registry: stepRegistry, profiles: {}, defaultProfile: null };
    const { plan, problems } = makePlan(definition, context);
    expect(plan).toBeNull();
    expect(problems).toMatchObject([{ code: 'validation.config', where: { path } }]);
    expect(problems[0]?.message).toContain(words);
    expect(makePlan(definition, { ...context, begun: true }).plan).not.toBeNull();
  },
);
