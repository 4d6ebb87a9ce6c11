import type { StepPorts } from '@areas/agents/contract/procedures';
import { ownValue } from '@contract/own';
import { bodyOf as innerSteps } from '@contract/run/scope/path';
import type { Cable, PortSpec, StepDefinition, WorkflowDefinition } from '../../../../contract/definition';

/** A port as it is drawn. */
export interface CanvasPort extends Pick<PortSpec, 'name' | 'label' | 'kind'> {
  readonly description?: string | undefined;
  readonly leadsBack?: boolean | undefined;
  readonly firesWhenSkipped?: boolean | undefined;
  /** False: a cable names the port, but the step does not have it. */
  readonly known: boolean;
  readonly wired: boolean;
}

/** The steps inside a step. */
interface CanvasBody {
  readonly steps: readonly StepDefinition[];
  readonly cables: readonly Cable[];
  /** The file that the step calls; null if the body is in the step itself. */
  readonly file: string | null;
}

export interface CanvasStep {
  /** The ids of the enclosing steps and its own, for example `review/fix`. */
  readonly key: string;
  readonly id: string;
  /** The key of the step whose body contains this one. */
  readonly parent: string | null;
  /** Null: a cable names the step, but it does not exist. */
  readonly step: StepDefinition | null;
  /** All ports. `shownPorts` selects those that are drawn. */
  readonly inputs: readonly CanvasPort[];
  readonly outputs: readonly CanvasPort[];
  readonly body: CanvasBody | null;
  readonly open: boolean;
  /** The step, or one around it, is switched off: a run skips it. */
  readonly off: boolean;
}

export interface CanvasEnd {
  readonly step: string;
  readonly port: string;
}

export interface CanvasCable {
  readonly key: string;
  /** The key of the step whose body contains the cable; null for the workflow itself. */
  readonly parent: string | null;
  readonly cable: Cable;
  readonly from: CanvasEnd;
  readonly to: CanvasEnd;
  readonly kind: PortSpec['kind'];
  /** The cable leads to an earlier step. */
  readonly back: boolean;
  /** One of its ends does not exist. */
  readonly dangling: boolean;
  /** Nothing crosses it, because its first step is switched off. */
  readonly off: boolean;
}

export interface CanvasGraph {
  /** Steps come before the steps of their bodies. */
  readonly steps: readonly CanvasStep[];
  readonly cables: readonly CanvasCable[];
}

interface Level {
  readonly steps: readonly StepDefinition[];
  readonly cables: readonly Cable[];
}

export interface GraphSource extends Level {
  readonly ports: Readonly<Record<string, StepPorts>>;
  /** Keys of steps whose body is shown. */
  readonly open: Pick<ReadonlySet<string>, 'has'>;
  /** Called workflow files, by path. */
  readonly called?: Readonly<Record<string, WorkflowDefinition>> | undefined;
}

export const joined = (parent: string | null, id: string): string =>
  parent === null ? id : `${parent}/${id}`;

export function endOf(ref: string): CanvasEnd {
  const dot = ref.indexOf('.');
  return { step: ref.slice(0, dot), port: ref.slice(dot + 1) };
}

/** A definition as the canvas draws it. */
export function canvasGraph(source: GraphSource): CanvasGraph {
  const steps: CanvasStep[] = [];
  const cables: CanvasCable[] = [];
  addLevel({ source, steps, cables }, source, TOP);
  return { steps, cables };
}

/** What is around the steps of a body. */
interface Around {
  readonly key: string | null;
  readonly off: boolean;
}
const TOP: Around = { key: null, off: false };

interface GraphParts {
  readonly source: GraphSource;
  readonly steps: CanvasStep[];
  readonly cables: CanvasCable[];
}

function addLevel(made: GraphParts, level: Level, around: Around): void {
  const parent = around.key;
  const ends = level.cables.map(({ from, to }) => ({ from: endOf(from), to: endOf(to) }));
  const names = new Set(level.steps.map(({ id }) => id));
  const lost = new Set(ends.flatMap(({ from, to }) => [from.step, to.step]).filter((id) => !names.has(id)));
  const used = usedPorts(ends);
  const ports = new Map<string, StepPorts>();
  for (const step of [...level.steps, ...[...lost].map((id) => ({ id, step: null }))]) {
    const key = joined(parent, step.id);
    const known = ownValue(made.source.ports, key) ?? null;
    const drawn = portsOf(known, used.get(step.id));
    ports.set(step.id, drawn);
    const definition = 'type' in step ? step : null;
    const body = definition === null ? null : bodyOf(definition, made.source);
    const open = body !== null && made.source.open.has(key);
    const off = around.off || definition?.disabled === true;
    made.steps.push({ ...drawn, key, id: step.id, parent, step: definition, body, open, off });
    if (open) addLevel(made, body, { key, off });
  }
  made.cables.push(...cablesOf({ level, ends, ports, lost }, around));
}

type Ends = readonly { readonly from: CanvasEnd; readonly to: CanvasEnd }[];

interface Used {
  readonly in: Set<string>;
  readonly out: Set<string>;
}

function usedPorts(ends: Ends): Map<string, Used> {
  const used = new Map<string, Used>();
  const of = (id: string): Used => {
    const known = used.get(id) ?? { in: new Set(), out: new Set() };
    used.set(id, known);
    return known;
  };
  for (const { from, to } of ends) {
    of(from.step).out.add(from.port);
    of(to.step).in.add(to.port);
  }
  return used;
}

/**
 * The ports of a step, then those that only cables name. If the step's ports are unknown, the latter count as
 * known.
 */
function portsOf(known: StepPorts | null, used: Used | undefined) {
  const side = (specs: readonly PortSpec[], wired: ReadonlySet<string>): CanvasPort[] => {
    const names = new Set(specs.map(({ name }) => name));
    const more = [...wired].filter((name) => !names.has(name));
    return [
      ...specs.map((spec) => ({ ...spec, known: true, wired: wired.has(spec.name) })),
      ...more.map((name) => ({
        name,
        label: known === null ? wordOf(name) : name,
        kind: kindOf(name),
        known: known === null,
        wired: true,
      })),
    ];
  };
  const none = new Set<string>();
  return {
    inputs: side(known?.inputs ?? [], used?.in ?? none),
    outputs: side(known?.outputs ?? [], used?.out ?? none),
  };
}

/** The label of `revise_out`: Revise. */
function wordOf(name: string): string {
  const words = name.replace(/_(in|out)$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The kind of a port derived from its name, if nothing else gives it. */
const kindOf = (name: string): PortSpec['kind'] => (name.startsWith('signal_') ? 'signal' : 'bundle');

interface LevelEnds {
  readonly level: Level;
  readonly ends: Ends;
  readonly ports: ReadonlyMap<string, { inputs: readonly PortSpec[]; outputs: readonly PortSpec[] }>;
  readonly lost: ReadonlySet<string>;
}

function cablesOf({ level, ends, ports, lost }: LevelEnds, around: Around): CanvasCable[] {
  const parent = around.key;
  const disabled = new Set(level.steps.flatMap(({ id, disabled }) => (disabled === true ? [id] : [])));
  const back = backCables(level, ends);
  const seen = new Map<string, number>();
  return ends.flatMap(({ from, to }, index): CanvasCable[] => {
    const cable = level.cables[index];
    if (cable === undefined) return [];
    const name = `${parent ?? ''}:${cable.from}>${cable.to}`;
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    const out = ports.get(from.step)?.outputs.find((port) => port.name === from.port) as
      | CanvasPort
      | undefined;
    const input = ports.get(to.step)?.inputs.find((port) => port.name === to.port) as CanvasPort | undefined;
    const missing =
      lost.has(from.step) || lost.has(to.step) || out?.known === false || input?.known === false;
    return [
      {
        key: times === 0 ? name : `${name} ${times + 1}`,
        parent,
        cable,
        from: { step: joined(parent, from.step), port: from.port },
        to: { step: joined(parent, to.step), port: to.port },
        kind: out?.kind ?? 'bundle',
        back: back.has(index),
        dangling: missing,
        off: around.off || (disabled.has(from.step) && out?.firesWhenSkipped !== true),
      },
    ];
  });
}

/** The cables that close a cycle, in the order of the file. */
function backCables({ steps }: Level, ends: Ends): ReadonlySet<number> {
  const out = new Map<string, { to: string; index: number }[]>();
  for (const [index, { from, to }] of ends.entries())
    out.set(from.step, [...(out.get(from.step) ?? []), { to: to.step, index }]);
  const into = new Set(ends.map(({ to }) => to.step));
  const order = [...steps.filter(({ id }) => !into.has(id)), ...steps].map(({ id }) => id);
  const back = new Set<number>();
  const done = new Set<string>();
  const above = new Set<string>();
  for (const start of order) {
    const way: { id: string; next: number }[] = [];
    if (!done.has(start)) way.push({ id: start, next: 0 });
    while (way.length > 0) {
      const at = way.at(-1);
      if (at === undefined) break;
      above.add(at.id);
      const edge = out.get(at.id)?.[at.next];
      at.next += 1;
      if (edge === undefined) {
        above.delete(at.id);
        done.add(at.id);
        way.pop();
      } else if (above.has(edge.to)) back.add(edge.index);
      else if (!done.has(edge.to)) way.push({ id: edge.to, next: 0 });
    }
  }
  return back;
}

/** The body of a step: its own, the called workflow, or one variant of an experiment as an example of all. */
function bodyOf(step: StepDefinition, { called }: GraphSource): CanvasBody | null {
  const inner = innerSteps({ definition: { steps: [] }, called }, step, 1);
  if (inner === null || inner.steps.length === 0) return null;
  const { file } = step.config;
  return { steps: inner.steps, cables: inner.cables, file: typeof file === 'string' ? file : null };
}
