import { workflowDefinitionSchema } from '@areas/workflows/contract/definition';
import { stepRegistry } from '@features/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { defineStep } from '../../step/module';
import { fakeProfile } from '../testing/harness';
import { makePlan } from './plan';

const module = defineStep({
  type: 'step.aged',
  version: 1,
  title: 'Aged',
  description: 'A module that knows words of its earlier versions.',
  config: z.strictObject({ mode: z.literal('now').default('now'), text: z.string().default('') }),
  onInterrupt: null,
  ports: () => ({ inputs: [], outputs: [] }),
  refuse: (raw) => {
    const old = z.object({ mode: z.literal('before') }).safeParse(raw).success;
    const gone =
      z.object({ gone: z.unknown() }).safeParse(raw).success && Object.hasOwn(raw as object, 'gone');
    const problem = (path: string) => ({
      code: 'validation.completion_mode_removed' as const,
      severity: 'error' as const,
      message: `${path} was removed`,
      path,
    });
    return [...(old ? [problem('mode')] : []), ...(gone ? [problem('gone')] : [])];
  },
  validate: () => [],
  agents: () => [],
  sessions: () => ({ persist: false, continues: false }),
  files: () => [],
  decide: () => {
    throw new Error('not run here');
  },
  observe: () => [],
});

function check(config: Record<string, unknown>) {
  const definition = workflowDefinitionSchema.parse({
    name: 'w',
    steps: [{ id: 'a', type: 'step.aged', config }],
  });
  const registry = new Map([...stepRegistry, [module.type, module] as const]);
  const { plan, problems } = makePlan(definition, { registry, profiles: {}, defaultProfile: null });
  return { valid: plan !== null, problems: problems.map(({ code, where }) => [code, where?.path]) };
}

const REMOVED = 'validation.completion_mode_removed';

describe('refusals by a module before its schema', () => {
  test('a refusal by a module is reported once: the schema says nothing more about the same keys', () => {
    expect(check({ mode: 'before', gone: null })).toEqual({
      valid: false,
      problems: [
        [REMOVED, 'steps[0].config.mode'],
        [REMOVED, 'steps[0].config.gone'],
      ],
    });
  });

  test('a refusal by a module leaves the schema its other findings', () => {
    expect(check({ mode: 'before', text: 3, other: 1, more: 2 }).problems).toEqual([
      [REMOVED, 'steps[0].config.mode'],
      ['validation.config', 'steps[0].config.text'],
      ['validation.unknown_key', 'steps[0].config.other'],
      ['validation.unknown_key', 'steps[0].config.more'],
    ]);
  });

  test('a module without a refusal leaves the findings of the schema as they are', () => {
    expect(check({ mode: 'now', text: 'x' })).toEqual({ valid: true, problems: [] });
  });
});

test('a run that has begun is taken up though a later Muster would not let it begin', () => {
  const config = { instruction: 'x', acp_profile_id: 'fake', named_outputs: ['📄'] };
  const definition = workflowDefinitionSchema.parse({
    name: 'w',
    steps: [{ id: 'a', type: 'step.agent_task', config }],
  });
  const context = { registry: stepRegistry, profiles: { fake: fakeProfile }, defaultProfile: null };
  expect(makePlan(definition, context).plan).toBeNull();
  expect(makePlan(definition, { ...context, begun: true }).plan).not.toBeNull();
});

test.each(['panel', 'judge', 'transform', 'claim_extractor', 'experiment'])(
  'the step step.%s takes no re-prompts',
  (name) => {
    const steps = [{ id: 'a', type: `step.${name}`, config: { re_prompts: ['x'] } }];
    const definition = workflowDefinitionSchema.parse({ name: 'w', steps });
    const { problems } = makePlan(definition, { registry: stepRegistry, profiles: {}, defaultProfile: null });
    expect(problems.map(({ where }) => where?.path)).toContain('steps[0].config.re_prompts');
  },
);

test('a step whose id is taken is checked like the others', () => {
  const definition = workflowDefinitionSchema.parse({
    name: 'w',
    steps: [
      { id: 'a', type: 'step.aged', config: {} },
      { id: 'a', type: 'step.aged', config: { mode: 'never' } },
    ],
  });
  const registry = new Map([...stepRegistry, [module.type, module] as const]);
  const { plan, problems } = makePlan(definition, { registry, profiles: {}, defaultProfile: null });
  expect(plan).toBeNull();
  expect(problems.map(({ code, where }) => [code, where?.path])).toEqual([
    ['validation.duplicate_id', 'steps[1].id'],
    ['validation.config', 'steps[1].config.mode'],
  ]);
});
