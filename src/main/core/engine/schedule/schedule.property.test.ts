import {
  type TriggerRule,
  triggerRuleSchema,
  workflowDefinitionSchema,
} from '@areas/workflows/contract/definition';
import { ownValue } from '@contract/own';
import type { RunEvent } from '@contract/run/events';
import { reduce } from '@contract/run/reduce';
import { scopeOf, scopePath } from '@contract/run/scope/path';
import type { ActivationState, RunState } from '@contract/run/state';
import { stepRegistry } from '@features/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makePlan, type Plan } from '../plan/plan';
import { brokenActivations } from '../resume/broken-activations';
import { fakeProfile, gate, task } from '../testing/harness';
import { Schedule } from './schedule';

interface Node {
  readonly rule: TriggerRule;
  /** For each earlier step, whether it leads to this one. */
  readonly after: readonly boolean[];
  readonly isGate: boolean;
  /** The steps that it runs in scopes. */
  readonly body?: readonly Node[];
}

const SIZE = 8;
const nodeShape = {
  rule: fc.constantFrom(...triggerRuleSchema.options),
  after: fc.array(fc.boolean(), { minLength: SIZE, maxLength: SIZE }),
  isGate: fc.boolean(),
};
const node: fc.Arbitrary<Node> = fc.record(nodeShape);
const graph = fc.array(node, { minLength: 2, maxLength: SIZE });
/** A graph in which some steps have bodies, possibly nested. */
const bodyOf = (inner: fc.Arbitrary<Node>) => fc.array(inner, { minLength: 1, maxLength: 3 });
const owner = (inner: fc.Arbitrary<Node>): fc.Arbitrary<Node> =>
  fc.record({ ...nodeShape, isGate: fc.constant(false), body: bodyOf(inner) });
const nested = fc.array(fc.oneof(node, owner(fc.oneof({ weight: 3, arbitrary: node }, owner(node)))), {
  minLength: 2,
  maxLength: 4,
});

const outOf = ({ isGate }: Node): string => (isGate ? 'approved_out' : 'data_out');

/** A graph's steps and cables; ids in a body differ from those around it. */
function written(nodes: readonly Node[], backs: boolean) {
  const steps = nodes.map(({ rule, isGate, body }, index): object => ({
    ...(isGate ? gate(`s${index}`) : task(`s${index}`)),
    ...(body === undefined
      ? {}
      : { type: 'step.workflow', config: { body: written(body, backs), for_each: { items: '$ARGUMENTS' } } }),
    trigger_rule: rule,
  }));
  const cables = nodes.flatMap(({ after, isGate }, index) => {
    const before = nodes.flatMap((source, at) => (at < index && after[at] ? [[source, at] as const] : []));
    const first = before.find(([source]) => !source.isGate)?.[1];
    return [
      ...before.map(([source, at]) => ({ from: `s${at}.${outOf(source)}`, to: `s${index}.data_in` })),
      ...(backs && isGate && first !== undefined
        ? [{ from: `s${index}.revise_out`, to: `s${first}.instruction_in` }]
        : []),
    ];
  });
  return { steps, cables };
}

function planOf(nodes: readonly Node[], backs: boolean): Plan {
  const definition = workflowDefinitionSchema.parse({ name: 'random', ...written(nodes, backs) });
  const { plan, problems } = makePlan(definition, {
    registry: stepRegistry,
    profiles: { fake: fakeProfile },
    defaultProfile: null,
  });
  if (plan === null) throw new Error(JSON.stringify(problems));
  return plan;
}

/** Simulates only a run's schedule: steps start when ready and end as the test says. */
class Played {
  state: RunState;
  readonly schedule: Schedule;
  readonly events: RunEvent[] = [];

  constructor(readonly plan: Plan) {
    const started: RunEvent = {
      type: 'run.started',
      uid: 'U',
      name: 'random',
      projectId: 1,
      projectPath: '/p',
      sourceFile: null,
      definition: plan.definition,
      profiles: {},
      instruction: '',
      attachments: [],
      files: {},
      projectContext: null,
      artifactsDir: '/a',
      workspaceMode: 'folder',
      startedBy: 'test',
      references: { baseBranch: 'main', docsDir: 'docs/', inputs: {} },
    };
    this.state = reduce(null, { seq: 1, at: 1, event: started });
    this.schedule = new Schedule(plan, this.state);
  }

  push(event: RunEvent): void {
    this.events.push(event);
    reduce(this.state, { seq: this.state.seq + 1, at: 1, event });
    this.schedule.follow(event);
    const fresh = new Schedule(this.plan, this.state);
    expect(this.schedule.places, event.type).toEqual(fresh.places);
    expect(this.schedule.unrecorded).toEqual(fresh.unrecorded);
    expect(this.schedule.firstReady(3)).toEqual(fresh.firstReady(3));
    expect(this.schedule.hasReady).toBe(fresh.places.some(({ place }) => place.place === 'ready'));
  }

  /** Records skips and starts the first ready steps. */
  go(count: number): void {
    for (const { step, place } of this.schedule.unrecorded) {
      const stepId = step.definition.id;
      if (place.place === 'closed')
        this.push({ type: 'step.skipped', stepId, reason: place.because, cause: place.cause });
      else this.push({ type: 'step.skip-withdrawn', stepId });
    }
    for (const { step, place } of this.schedule.firstReady(count)) {
      if (place.place !== 'ready') continue;
      const stepId = step.definition.id;
      const attempt = (this.state.steps[stepId]?.activationIds.length ?? 0) + 1;
      const { sources } = place;
      this.push({
        type: 'activation.started',
        activationId: this.state.last.activation + 1,
        stepId,
        attempt,
        inputs: [...place.inputs],
        ...(sources === undefined ? {} : { sources: [...sources] }),
      });
    }
  }

  end(which: number, how: 'succeeded' | 'failed' | 'revised'): void {
    const running = [...this.schedule.running];
    const activation = this.state.activations[running[which % running.length] ?? 0];
    const step = this.plan.steps.get(activation?.stepId ?? '');
    if (activation === undefined || step === undefined) return;
    const isGate = step.module.type === 'step.approval';
    if ((activation.scopes?.open ?? 0) > 0) return this.stopScopes(activation);
    const outcome = how === 'revised' && !isGate ? 'succeeded' : how;
    const signals = {
      succeeded: [isGate ? 'approved_out' : 'data_out'],
      failed: [],
      revised: ['revise_out'],
    };
    this.push({
      type: 'activation.finished',
      activationId: activation.id,
      outcome,
      outputs: {},
      signals: signals[outcome],
      receipt: {},
      warnings: [],
      error: null,
    });
  }

  /** A step with a body opens its next scope. */
  open(which: number): void {
    const owners = [...this.schedule.running].flatMap((id) => {
      const activation = this.state.activations[id];
      return activation !== undefined && this.plan.steps.get(activation.stepId)?.inner != null
        ? [activation]
        : [];
    });
    const chosen = owners[which % Math.max(1, owners.length)];
    if (chosen === undefined) return;
    const index = (chosen.scopes?.opened ?? 0) + 1;
    this.push({
      type: 'scope.opened',
      scope: scopePath(chosen, index),
      activationId: chosen.id,
      index,
      values: {},
    });
  }

  /** Ends finished scopes, as the engine does; with `stops`, one is stopped first. */
  closeScopes(stops: boolean): void {
    const [first] = Object.values(this.state.scopes).filter(({ status }) => status === 'open');
    if (stops && first !== undefined) this.push({ type: 'scope.stop-requested', scope: first.path });
    for (const path of this.schedule.endingScopes(false)) {
      const failed = Object.values(this.state.steps).some(
        ({ id, activationIds }) =>
          scopeOf(id) === path && this.state.activations[activationIds.at(-1) ?? 0]?.outcome === 'failed',
      );
      const outcome = failed
        ? 'failed'
        : ownValue(this.state.scopes, path)?.status === 'stopping'
          ? 'cancelled'
          : 'succeeded';
      this.push({ type: 'scope.ended', scope: path, outcome, error: null });
    }
  }

  /** A step that is to end stops its scopes first. */
  private stopScopes({ id }: ActivationState): void {
    for (const { path, status, activationId } of Object.values(this.state.scopes))
      if (activationId === id && status === 'open') this.push({ type: 'scope.stop-requested', scope: path });
  }

  resume(): void {
    this.push({ type: 'run.resumed', by: 'test', activationIds: brokenActivations(this.state) });
  }
}

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.tuple(
      fc.constant('end' as const),
      fc.nat(7),
      fc.constantFrom('succeeded' as const, 'succeeded' as const, 'failed' as const, 'revised' as const),
    ),
  },
  { weight: 3, arbitrary: fc.tuple(fc.constant('go' as const), fc.nat(3)) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('resume' as const)) },
);

test('A schedule that follows events equals one built from scratch, with scopes in scopes as well', () => {
  const more = fc.oneof(
    { weight: 3, arbitrary: action },
    { weight: 3, arbitrary: fc.tuple(fc.constant('open' as const), fc.nat(3)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('close' as const), fc.boolean()) },
  );
  let opened = 0;
  fc.assert(
    fc.property(
      nested,
      fc.boolean(),
      fc.array(more, { minLength: 10, maxLength: 40 }),
      (nodes, backs, actions) => {
        const played = new Played(planOf(nodes, backs));
        played.go(8);
        for (const [kind, ...rest] of actions) {
          if (kind === 'end') played.end(rest[0] as number, rest[1] as 'succeeded');
          else if (kind === 'go') played.go(rest[0] as number);
          else if (kind === 'open') played.open(rest[0] as number);
          else if (kind === 'close') played.closeScopes(rest[0] === true);
          else played.resume();
        }
        opened += Object.keys(played.state.scopes).length;
      },
    ),
    { numRuns: 300 },
  );
  expect(opened).toBeGreaterThan(100);
});

test('A schedule that follows events equals one built from scratch, for every rule, re-run and resume', () => {
  fc.assert(
    fc.property(graph, fc.boolean(), fc.array(action, { maxLength: 30 }), (nodes, backs, actions) => {
      const played = new Played(planOf(nodes, backs));
      played.go(8);
      for (const [kind, ...rest] of actions) {
        if (kind === 'end') played.end(rest[0] as number, rest[1] as 'succeeded');
        else if (kind === 'go') played.go(rest[0] as number);
        else played.resume();
      }
    }),
    { numRuns: 300 },
  );
});

type Result = 'succeeded' | 'missed' | 'failed' | 'skipped' | 'skipped by a failure';

/** The rules, evaluated from the results of all steps at once. */
function expected(nodes: readonly Node[], ended: readonly ('succeeded' | 'failed')[]): Result[] {
  const results: Result[] = [];
  nodes.forEach(({ rule, after }, index) => {
    const sources = results.filter((_, at) => after[at]);
    const good = sources.filter((one) => one === 'succeeded').length;
    const bad = sources.some((one) => one === 'failed' || one === 'skipped by a failure');
    const runs = {
      all_success: good === sources.length,
      one_success: good > 0 || sources.length === 0,
      none_failed_min_one_success: !bad && (good > 0 || sources.length === 0),
      all_done: true,
    }[rule];
    results.push(runs ? (ended[index] ?? 'succeeded') : bad ? 'skipped by a failure' : 'skipped');
  });
  return results;
}

test('Each step runs or is skipped as its rule says, whatever the order in which steps end', () => {
  const ends = fc.array(fc.constantFrom('succeeded' as const, 'failed' as const), {
    minLength: SIZE,
    maxLength: SIZE,
  });
  fc.assert(
    fc.property(graph, ends, fc.array(fc.nat(7), { maxLength: 40 }), (nodes, ended, order) => {
      const played = new Played(planOf(nodes, false));
      played.go(8);
      for (let turn = 0; played.schedule.running.size > 0; turn += 1) {
        const running = [...played.schedule.running];
        const which = (order[turn] ?? 0) % running.length;
        const { stepId = '' } = played.state.activations[running[which] ?? 0] ?? {};
        played.end(which, ended[Number(stepId.slice(1))] ?? 'succeeded');
        played.go(8);
      }
      const results = played.schedule.places.map(({ step, place }): Result => {
        const state = played.state.steps[step.definition.id];
        if (place.place === 'settled') return place.last.outcome as Result;
        expect(state?.skipped).not.toBeNull();
        return place.place === 'closed' && place.failed ? 'skipped by a failure' : 'skipped';
      });
      expect(Object.fromEntries(played.plan.order.map((id, at) => [id, results[at]]))).toEqual(
        Object.fromEntries(expected(nodes, ended).map((one, at) => [`s${at}`, one])),
      );
      const withdrawn = played.events.filter(({ type }) => type === 'step.skip-withdrawn');
      expect(withdrawn, 'a skip that is certain is never withdrawn').toEqual([]);
    }),
    { numRuns: 300 },
  );
});
