import type { WorkflowDefinition } from '@areas/workflows/contract/definition';
import type { Problem } from '@contract/errors';
import { ownValue } from '@contract/own';
import { INLINE_TEXTS } from '../../ports/whole-texts';
import type { GraphContext } from '../../step/module';
import { outputFormat } from '../../step/output/output-format';
import { type BodyOwner, planBody } from './body';
import { type Draft, type Link, readCables, sortSteps } from './cables';
import { conditionOf } from './condition-check';
import { entryProblems } from './entry-bounds';
import { hostProblems } from './hosts';
import { readConfig } from './lenient-config';
import { permissionProblems } from './permissions';
import { placed, problem, schemaProblems } from './problems';
import { namesOf, referenceProblems, textPlaces } from './references';
import { switchedOff } from './switched-off';
import { PlannedSteps } from './tree';
import type { InCable, Inner, Plan, PlanContext, PlannedStep } from './types';
import { unknownType } from './unknown-type';

export type { InCable, Plan, PlanContext, PlannedStep } from './types';

/**
 * Checks a whole definition and makes a plan of it. Returns all problems with their paths in the document,
 * and offsets in the text there if available; the plan is null if any is an error.
 */
export function makePlan(
  definition: WorkflowDefinition,
  context: PlanContext,
): { plan: Plan | null; problems: Problem[]; offsets: ReadonlyMap<Problem, number> } {
  const problems = context.begun ? [] : entryProblems(definition, context.registry);
  const drafts = bindSteps(definition, context, problems);
  const links = readCables(definition, drafts, problems);
  const { order, back } = sortSteps(definition, { drafts, links }, problems);
  const bound = (id: string) => drafts.get(id)?.bound ?? null;
  if (!context.begun)
    problems.push(...hostProblems(definition, { bound, context, called: context.around !== undefined }));
  const names = namesOf(definition, { bound, around: context.around });
  const steps = new PlannedSteps();
  const offsets = new Map<Problem, number>();
  for (const id of order) {
    const draft = drafts.get(id);
    if (draft === undefined) continue;
    const inner = bodyOf(draft, { definition, context, names }, { problems, offsets });
    steps.set(id, finishStep(draft, { back, steps, inner }));
  }
  context.onTexts?.(textPlaces(definition, context.registry, names));
  for (const one of context.begun ? [] : referenceProblems(definition, context.registry, names)) {
    problems.push(one.problem);
    offsets.set(one.problem, one.offset);
  }
  if (!context.begun) problems.push(...switchedOff(definition, steps));
  for (const draft of context.begun ? [] : drafts.values())
    validateStep(draft, { drafts, context, definition }, problems);
  const broken = problems.some((problem) => problem.severity === 'error');
  const { defaultProfile } = context;
  const leads = new Set(links.filter((link) => !back.has(link)).map(({ from: [id] }) => id));
  const lasts = order.filter((id) => !leads.has(id));
  const continuing = order.filter((id) => drafts.get(id)?.bound.sessions.continues === true);
  const { called = {}, texts = INLINE_TEXTS } = context;
  const plan = broken ? null : { definition, steps, order, lasts, continuing, defaultProfile, called, texts };
  return { plan, problems, offsets };
}

function bodyOf(
  { definition: step, bound: { body }, index }: Draft,
  { definition, context, names }: Pick<BodyOwner, 'context' | 'names'> & { definition: WorkflowDefinition },
  { problems, offsets }: { readonly problems: Problem[]; readonly offsets: Map<Problem, number> },
): Inner | null {
  if (body === null) return null;
  const owner = { step, base: `steps[${index}].config`, around: definition, context, names };
  const { inner, problems: found, offsets: there } = planBody(body, owner, makePlan);
  problems.push(...found);
  for (const [one, offset] of there) offsets.set(one, offset);
  return inner;
}

function bindSteps(
  definition: WorkflowDefinition,
  { registry, begun = false }: PlanContext,
  problems: Problem[],
): Map<string, Draft> {
  const drafts = new Map<string, Draft>();
  const seen = new Set<string>();
  definition.steps.forEach((step, index) => {
    const path = `steps[${index}]`;
    // A second step of an id is no part of the plan; its own mistakes are told with the first look at the file.
    const isSecond = seen.has(step.id);
    if (isSecond)
      problems.push(problem('validation.duplicate_id', `two steps have the id "${step.id}"`, `${path}.id`));
    seen.add(step.id);
    const module = registry.get(step.type);
    if (module === undefined) {
      problems.push(unknownType(step, path, [...registry.keys()]));
      return;
    }
    const refused = (module.refuse?.(step.config) ?? []).map((found) =>
      placed(found, step.id, `${path}.config`),
    );
    problems.push(...refused);
    const parsed = readConfig(module.config, step.config, begun);
    if (!parsed.success) {
      problems.push(...schemaProblems(parsed.error, { id: step.id, path, refused }));
      return;
    }
    if (isSecond || refused.some(({ severity }) => severity === 'error')) return;
    drafts.set(step.id, {
      definition: step,
      module,
      bound: module.bind(parsed.data),
      index,
      into: [],
      out: [],
    });
  });
  return drafts;
}

interface Finishing {
  readonly back: ReadonlySet<Link>;
  readonly steps: ReadonlyMap<string, PlannedStep>;
  readonly inner: Inner | null;
}

function finishStep(
  { definition, module, bound, into, out }: Draft,
  { back, steps, inner }: Finishing,
): PlannedStep {
  const cables = into.map((link) => ({
    port: link.to[1],
    fromStep: link.from[0],
    fromPort: link.from[1],
    back: back.has(link),
    signal: link.signal,
    dangling: link.dangling,
    firesWhenSkipped: link.firesWhenSkipped,
  }));
  let ancestors: readonly string[] | null = null;
  return {
    definition,
    module,
    bound,
    cables,
    triggerRule: definition.trigger_rule ?? 'all_success',
    condition: conditionOf(definition),
    format: definition.output_format === undefined ? null : outputFormat(definition.output_format),
    inner,
    connected: new Set(out.flatMap((link) => (link.dangling ? [] : [link.from[1]]))),
    // Computed on demand: for all steps together they grow with the square of the graph.
    get ancestors() {
      ancestors ??= ancestorsOf(cables, steps);
      return ancestors;
    },
    title: definition.title ?? definition.id,
  };
}

function ancestorsOf(cables: readonly InCable[], steps: ReadonlyMap<string, PlannedStep>): readonly string[] {
  const found = new Set<string>();
  const open = [...cables];
  for (let cable = open.pop(); cable !== undefined; cable = open.pop()) {
    if (cable.back || found.has(cable.fromStep)) continue;
    found.add(cable.fromStep);
    open.push(...(steps.get(cable.fromStep)?.cables ?? []));
  }
  return [...steps.keys()].filter((id) => found.has(id));
}

interface Surroundings {
  definition: WorkflowDefinition;
  drafts: Map<string, Draft>;
  context: PlanContext;
}

function validateStep(
  draft: Draft,
  { drafts, context, definition }: Surroundings,
  problems: Problem[],
): void {
  const workspace = context.workspace ?? definition.workspace;
  const id = draft.definition.id;
  const base = `steps[${draft.index}].config`;
  const graph: GraphContext = {
    sessionsOf: (port) => sessionsOf(drafts, draft, port),
    hasProfile: (name) => ownValue(context.profiles, name) !== undefined,
    profile: (name) => ownValue(context.profiles, name) ?? null,
    defaultProfile: context.defaultProfile,
    workspace,
    hasFormat: draft.definition.output_format !== undefined,
    inBody: (context.within ?? []).length > 0,
    maxParallel: definition.max_parallel,
  };
  for (const agent of draft.bound.agents) {
    const name = agent.profileId;
    if (name !== null && ownValue(context.profiles, name) === undefined) {
      const known = Object.keys(context.profiles).join(', ');
      problems.push({
        code: 'validation.profile_unknown',
        severity: 'error',
        message: `step "${id}": there is no agent profile "${name}"`,
        where: { path: `${base}.${agent.path ?? 'acp_profile_id'}`, profile: name },
        mend: `use one of: ${known}, or add the profile in Agents, with 'muster agents add', or in .muster/agents.yaml`,
      });
    }
  }
  const ownCheckout = workspace === 'project';
  problems.push(...permissionProblems({ id, agents: draft.bound.agents, base, ownCheckout }, context));
  problems.push(...draft.bound.validate(graph).map((found) => placed(found, id, base)));
}

function sessionsOf(
  drafts: ReadonlyMap<string, Draft>,
  target: Draft,
  port: string,
): ReturnType<GraphContext['sessionsOf']> {
  const found = new Map<string, Draft>();
  const seen = new Set<Link>();
  const open = target.into.filter((link) => link.to[1] === port && !link.dangling);
  for (let link = open.shift(); link !== undefined; link = open.shift()) {
    const [id, from] = link.from;
    const source = drafts.get(id);
    if (source === undefined || seen.has(link)) continue;
    seen.add(link);
    const { passes } = source.bound.ports.outputs.find(({ name }) => name === from) ?? {};
    const behind = source.into.filter((one) => one.to[1] === passes);
    if (behind.length > 0) open.push(...behind);
    else found.set(id, source);
  }
  return [...found].map(([stepId, { bound }]) => ({
    stepId,
    agents: bound.sessions.gives === false ? [] : bound.agents,
  }));
}
