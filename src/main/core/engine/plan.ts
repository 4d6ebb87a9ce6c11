import type { AgentProfile } from '@contract/catalog/profile';
import type { Problem } from '@contract/errors';
import { own } from '@contract/own';
import type { StepDefinition, TriggerRule, WorkflowDefinition } from '@contract/workflow/definition';
import type { Condition } from '../reference/condition/condition';
import type { AnyStepModule, BoundStep, GraphContext, StepRegistry } from '../step/module';
import { type OutputFormat, outputFormat } from '../step/output-format';
import { readConfig } from './begun-config';
import { conditionOf } from './condition-check';
import { entryProblems } from './entry-bounds';
import { placed, problem, schemaProblems } from './plan-problems';
import { referenceProblems } from './plan-references';
import { unknownType } from './unknown-type';

export interface InCable {
  readonly port: string;
  readonly fromStep: string;
  readonly fromPort: string;
  /** Leads back to a step that its source depends on: it re-activates, it is nothing to wait for. */
  readonly back: boolean;
  /** A signal only orders, it carries no bundle. */
  readonly signal: boolean;
  /** It began at an output that is gone: the step still waits for its source, and nothing comes over it. */
  readonly dangling: boolean;
}

export interface PlannedStep {
  readonly definition: StepDefinition;
  readonly module: AnyStepModule;
  readonly bound: BoundStep;
  readonly cables: readonly InCable[];
  readonly triggerRule: TriggerRule;
  /** Its `when`; null where it has none. */
  readonly condition: Condition | null;
  /** What its `output_format` asks for; null where it has none. */
  readonly format: OutputFormat | null;
  readonly connected: ReadonlySet<string>;
  /** All steps that lead here, in the order in which they run. */
  readonly ancestors: readonly string[];
  readonly title: string;
}

/** A definition made ready to decide on. Depends on nothing but the definition, the registry and the default profile. */
export interface Plan {
  readonly definition: WorkflowDefinition;
  readonly steps: ReadonlyMap<string, PlannedStep>;
  /** Every step after those that it depends on. */
  readonly order: readonly string[];
  /** The profile of agents that name none; null where none is set. */
  readonly defaultProfile: string | null;
}

export interface PlanContext {
  readonly registry: StepRegistry;
  readonly profiles: Readonly<Record<string, AgentProfile>>;
  readonly defaultProfile: string | null;
  /** It was found good when its run began, perhaps by an earlier Muster: its steps are not checked again. */
  readonly begun?: boolean;
}

interface Draft {
  definition: StepDefinition;
  module: AnyStepModule;
  bound: BoundStep;
  index: number;
  into: Link[];
  out: Link[];
}

interface Link {
  index: number;
  from: [step: string, port: string];
  to: [step: string, port: string];
  leadsBack: boolean;
  signal: boolean;
  dangling: boolean;
}

/** What every step fires when it has done its work. */
const DONE = 'signal_out';

const split = (ref: string): [string, string] => {
  const dot = ref.indexOf('.');
  return [ref.slice(0, dot), ref.slice(dot + 1)];
};

/**
 * Checks a definition whole and makes a plan of it. Gives every problem that it finds, with the path of each in the
 * document, and with its offset in the text there where it has one; the plan is null when one of them is an error.
 */
export function makePlan(
  definition: WorkflowDefinition,
  context: PlanContext,
): { plan: Plan | null; problems: Problem[]; offsets: ReadonlyMap<Problem, number> } {
  const problems = context.begun ? [] : entryProblems(definition, context.registry);
  const drafts = bindSteps(definition, context, problems);
  const links = readCables(definition, drafts, problems);
  const { order, back } = sortSteps(definition, { drafts, links }, problems);
  const steps = new Map<string, PlannedStep>();
  for (const id of order) {
    const draft = drafts.get(id);
    if (draft) steps.set(id, finishStep(draft, back, steps));
  }
  const offsets = new Map<Problem, number>();
  const bound = (id: string) => drafts.get(id)?.bound ?? null;
  for (const one of context.begun ? [] : referenceProblems(definition, { ...context, bound })) {
    problems.push(one.problem);
    offsets.set(one.problem, one.offset);
  }
  for (const draft of context.begun ? [] : drafts.values())
    validateStep(draft, { drafts, context, workspace: definition.workspace }, problems);
  const broken = problems.some((problem) => problem.severity === 'error');
  const { defaultProfile } = context;
  return { plan: broken ? null : { definition, steps, order, defaultProfile }, problems, offsets };
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
    if (seen.has(step.id)) {
      problems.push(problem('validation.duplicate_id', `two steps have the id "${step.id}"`, `${path}.id`));
      return;
    }
    seen.add(step.id);
    const module = registry.get(step.type);
    if (module === undefined) {
      problems.push(...unknownType(step, path, [...registry.keys()]));
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
    if (refused.some(({ severity }) => severity === 'error')) return;
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

function readCables(definition: WorkflowDefinition, drafts: Map<string, Draft>, problems: Problem[]): Link[] {
  const links: Link[] = [];
  const loose: Link[] = [];
  const declared = new Set(definition.steps.map((step) => step.id));
  definition.cables.forEach((cable, index) => {
    const path = `cables[${index}]`;
    const from = split(cable.from);
    const to = split(cable.to);
    for (const [end, id] of [
      ['from', from[0]],
      ['to', to[0]],
    ] as const) {
      if (!declared.has(id)) {
        problems.push(
          problem(
            'validation.dangling_cable',
            `the cable leads ${end} "${id}", which is no step`,
            `${path}.${end}`,
          ),
        );
      }
    }
    const source = drafts.get(from[0]);
    const target = drafts.get(to[0]);
    if (!source || !target) return;
    const out = source.bound.ports.outputs.find((port) => port.name === from[1]);
    const input = target.bound.ports.inputs.find((port) => port.name === to[1]);
    if (!out) {
      // An output can vanish with its configuration (separate_outputs unchecked): seed 000 section 5 makes that a warning.
      const has = source.bound.ports.outputs.map((port) => port.name).join(', ');
      problems.push({
        ...problem(
          'validation.dangling_cable',
          `step "${from[0]}" has no output "${from[1]}"; nothing will come over this cable, "${to[0]}" only waits for it`,
          `${path}.from`,
        ),
        severity: 'warning',
        mend: `use one of: ${has}`,
      });
      if (input)
        loose.push({ index, from: [from[0], DONE], to, leadsBack: false, signal: true, dangling: true });
      return;
    }
    if (!input) {
      const has = target.bound.ports.inputs.map((port) => port.name).join(', ');
      problems.push({
        ...problem('validation.unknown_port', `step "${to[0]}" has no input "${to[1]}"`, `${path}.to`),
        mend: `use one of: ${has}`,
      });
      return;
    }
    if (out.kind === 'signal' && input.kind !== 'signal') {
      problems.push(
        problem(
          'validation.cable_type',
          `${cable.from} is a signal and carries nothing for ${cable.to}`,
          path,
        ),
      );
      return;
    }
    const leadsBack = out.leadsBack === true;
    links.push({ index, from, to, leadsBack, signal: input.kind === 'signal', dangling: false });
  });
  for (const link of loose) if (orders(link, { links, drafts })) links.push(link);
  for (const link of links) {
    drafts.get(link.from[0])?.out.push(link);
    drafts.get(link.to[0])?.into.push(link);
  }
  return links;
}

/** Whether a cable without an output still says what comes first: not where that is known, or where it leads back. */
function orders(
  { from: [from], to: [to] }: Link,
  { links, drafts }: { links: readonly Link[]; drafts: ReadonlyMap<string, Draft> },
): boolean {
  const fires = drafts.get(from)?.bound.ports.outputs.some(({ name }) => name === DONE) === true;
  const known = links.some((link) => link.from[0] === from && link.to[0] === to);
  const forward = links.filter((link) => !link.leadsBack);
  return fires && !known && from !== to && !reaches(forward, to, from);
}

/** Kahn's order over the cables that do not lead back; what is left over lies on a cycle. */
function sortSteps(
  definition: WorkflowDefinition,
  { drafts, links }: { drafts: ReadonlyMap<string, Draft>; links: readonly Link[] },
  problems: Problem[],
): { order: string[]; back: Set<Link> } {
  const ids = [...new Set(definition.steps.map((step) => step.id))];
  const forward = links.filter((link) => !link.leadsBack);
  const back = new Set(links.filter((link) => link.leadsBack && reaches(forward, link.to[0], link.from[0])));
  const waitsFor = (id: string) => drafts.get(id)?.into.filter((link) => !back.has(link)) ?? [];
  const waiting = new Map(ids.map((id) => [id, waitsFor(id).length]));
  const order: string[] = [];
  const ready = ids.filter((id) => waiting.get(id) === 0);
  for (let id = ready.shift(); id !== undefined; id = ready.shift()) {
    order.push(id);
    for (const link of drafts.get(id)?.out ?? []) {
      if (back.has(link)) continue;
      const left = (waiting.get(link.to[0]) ?? 0) - 1;
      waiting.set(link.to[0], left);
      if (left === 0) ready.push(link.to[0]);
    }
  }
  const stuck = ids.filter((id) => waiting.get(id) !== 0);
  if (stuck.length > 0) {
    const on = links.find(
      (link) => !back.has(link) && stuck.includes(link.from[0]) && stuck.includes(link.to[0]),
    );
    problems.push({
      ...problem(
        'validation.cycle',
        `these steps wait for each other: ${stuck.join(', ')}`,
        on ? `cables[${on.index}]` : 'cables',
      ),
      mend: 'only a cable from a revise_out may lead back',
    });
  }
  return { order, back };
}

function reaches(links: readonly Link[], from: string, to: string): boolean {
  const seen = new Set<string>();
  const open = [from];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    for (const link of links) if (link.from[0] === id) open.push(link.to[0]);
  }
  return false;
}

function finishStep(
  { definition, module, bound, into, out }: Draft,
  back: ReadonlySet<Link>,
  steps: ReadonlyMap<string, PlannedStep>,
): PlannedStep {
  const cables = into.map((link) => ({
    port: link.to[1],
    fromStep: link.from[0],
    fromPort: link.from[1],
    back: back.has(link),
    signal: link.signal,
    dangling: link.dangling,
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
    connected: new Set(out.flatMap((link) => (link.dangling ? [] : [link.from[1]]))),
    // When they are asked for: those of all steps together grow with the square of the graph.
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
  workspace: WorkflowDefinition['workspace'];
  drafts: Map<string, Draft>;
  context: PlanContext;
}

function validateStep(draft: Draft, { drafts, context, workspace }: Surroundings, problems: Problem[]): void {
  const id = draft.definition.id;
  const base = `steps[${draft.index}].config`;
  const graph: GraphContext = {
    sessionsOf: (port) => sessionsOf(drafts, draft, port),
    hasProfile: (name) => own(context.profiles, name) !== undefined,
    profile: (name) => own(context.profiles, name) ?? null,
    defaultProfile: context.defaultProfile,
    workspace,
    hasFormat: draft.definition.output_format !== undefined,
  };
  for (const agent of draft.bound.agents) {
    const name = agent.profileId;
    if (name !== null && own(context.profiles, name) === undefined) {
      const known = Object.keys(context.profiles).join(', ');
      problems.push({
        ...problem(
          'validation.profile_unknown',
          `step "${id}": there is no agent profile "${name}"`,
          `${base}.${agent.path ?? 'acp_profile_id'}`,
        ),
        mend: `use one of: ${known}, or add the profile in Agents, with 'muster agents add', or in .muster/agents.yaml`,
      });
    }
  }
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
