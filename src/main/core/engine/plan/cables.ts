import type { PortSpec, StepDefinition, WorkflowDefinition } from '@areas/workflows/contract/definition';
import type { Problem } from '@contract/errors';
import type { AnyStepModule, BoundStep } from '../../step/module';
import { problem } from './problems';

/** A step while its plan is being made. */
export interface Draft {
  definition: StepDefinition;
  module: AnyStepModule;
  bound: BoundStep;
  index: number;
  into: Link[];
  out: Link[];
}

export interface Link {
  index: number;
  from: [step: string, port: string];
  to: [step: string, port: string];
  leadsBack: boolean;
  signal: boolean;
  dangling: boolean;
  firesWhenSkipped: boolean;
}

/** Every step fires this when its work is done. */
const DONE = 'signal_out';

const split = (ref: string): [string, string] => {
  const dot = ref.indexOf('.');
  return [ref.slice(0, dot), ref.slice(dot + 1)];
};

export function readCables(
  definition: WorkflowDefinition,
  drafts: Map<string, Draft>,
  problems: Problem[],
): Link[] {
  const [links, loose]: [Link[], Link[]] = [[], []];
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
            `the cable leads ${end} "${id}", which is not a step`,
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
      // An output can disappear with a configuration change (separate_outputs unchecked): seed 000 section 5
      // makes that a warning.
      const has = source.bound.ports.outputs.map((port) => port.name).join(', ');
      problems.push({
        ...problem(
          'validation.dangling_cable',
          `step "${from[0]}" has no output "${from[1]}"; this cable carries nothing, and "${to[0]}" only waits for it`,
          `${path}.from`,
        ),
        severity: 'warning',
        mend: `use one of: ${has}`,
      });
      const done = source.bound.ports.outputs.find(({ name }) => name === DONE);
      if (input && done) loose.push(toDone({ index, from, to }, done));
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
    const { leadsBack = false, firesWhenSkipped = false } = out;
    const signal = input.kind === 'signal';
    links.push({ index, from, to, leadsBack, signal, dangling: false, firesWhenSkipped });
  });
  for (const link of loose) if (orders(link, links)) links.push(link);
  for (const link of links) {
    drafts.get(link.from[0])?.out.push(link);
    drafts.get(link.to[0])?.into.push(link);
  }
  return links;
}

const toDone = (
  { from, ...link }: Pick<Link, 'index' | 'from' | 'to'>,
  { firesWhenSkipped = false }: PortSpec,
): Link => ({
  ...link,
  from: [from[0], DONE],
  leadsBack: false,
  signal: true,
  dangling: true,
  firesWhenSkipped,
});

/**
 * Whether a cable whose output no longer exists still determines the order: not if that is known otherwise,
 * or if it leads back.
 */
function orders({ from: [from], to: [to] }: Link, links: readonly Link[]): boolean {
  const known = links.some((link) => link.from[0] === from && link.to[0] === to);
  const forward = links.filter((link) => !link.leadsBack);
  return !known && from !== to && !reaches(forward, to, from);
}

/** Kahn's topological order over the cables that do not lead back; leftover steps are on a cycle. */
export function sortSteps(
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
      const remaining = (waiting.get(link.to[0]) ?? 0) - 1;
      waiting.set(link.to[0], remaining);
      if (remaining === 0) ready.push(link.to[0]);
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
      mend: 'only a cable from revise_out may lead back',
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
