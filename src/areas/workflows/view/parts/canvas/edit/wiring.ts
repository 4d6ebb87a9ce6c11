import { isMap } from '../../../../contract/change';
import type { WorkflowEdit } from '../../../../contract/edit';
import { type CanvasCable, type CanvasEnd, type CanvasGraph, type CanvasStep, joined } from '../graph/graph';

/** The path of a step as edits need it: the ids of the steps around it, then its own. */
export const stepPath = (key: string): string[] => key.split('/');
/** The path of a body as edits need it. */
export const bodyPath = (parent: string | null): string[] => (parent === null ? [] : stepPath(parent));

export const titleOf = ({ step, id }: Pick<CanvasStep, 'step' | 'id'>): string => step?.title ?? id;

const portName = ({ step, port }: CanvasEnd): string => `${step.slice(step.lastIndexOf('/') + 1)}.${port}`;

/** Whether the body of a step is in this file. The body of a called workflow or of a variant is not. */
export const holdsBody = ({ step, body }: CanvasStep): boolean =>
  body !== null && body.file === null && isMap(step?.config.body);

/** The steps that edits of the file can change. */
export function editableSteps({ steps }: CanvasGraph): ReadonlyMap<string, CanvasStep> {
  const found = new Map<string, CanvasStep>();
  const holders = new Set<string | null>([null]);
  // Steps come before the steps of their bodies.
  for (const step of steps) {
    if (step.step === null || !holders.has(step.parent)) continue;
    found.set(step.key, step);
    if (holdsBody(step)) holders.add(step.key);
  }
  return found;
}

/** Returns why a cable cannot connect two ports; null if it can. */
export type WhyNot = (from: CanvasEnd, to: CanvasEnd) => string | null;

/** The rules for new cables, same as in the core. The core decides when the file is checked. */
export function wiring(graph: CanvasGraph): WhyNot {
  const steps = editableSteps(graph);
  const known = new Set(graph.cables.map(({ from, to }) => cableName(from, to)));
  const before = ancestors(graph, steps);
  return (from, to) => {
    const [source, target] = [steps.get(from.step), steps.get(to.step)];
    if (source === undefined || target === undefined) return 'This step cannot be changed here';
    if (source.parent !== target.parent) return 'A cable cannot leave the body of its step';
    const output = source.outputs.find(({ name }) => name === from.port);
    const input = target.inputs.find(({ name }) => name === to.port);
    if (!output?.known) return 'The step has no such output';
    if (!input?.known) return 'The step has no such input';
    if (output.kind === 'signal' && input.kind !== 'signal')
      return 'A signal carries no data. It fits signal inputs only.';
    if (known.has(cableName(from, to))) return 'This cable already exists';
    if (source === target) return 'A step cannot wait for itself';
    if (output.leadsBack !== true && before(source.key).has(target.key))
      return 'This output cannot lead back: the steps would wait for each other';
    return null;
  };
}

const cableName = (from: CanvasEnd, to: CanvasEnd): string =>
  `${from.step}.${from.port}>${to.step}.${to.port}`;

/** The steps before each step, ignoring cables that may lead back. */
function ancestors(graph: CanvasGraph, steps: ReadonlyMap<string, CanvasStep>) {
  const into = new Map<string, string[]>();
  for (const { from, to } of graph.cables) {
    const output = steps.get(from.step)?.outputs.find(({ name }) => name === from.port);
    if (output?.leadsBack !== true) into.set(to.step, [...(into.get(to.step) ?? []), from.step]);
  }
  const found = new Map<string, ReadonlySet<string>>();
  return (key: string): ReadonlySet<string> => {
    const before = found.get(key) ?? new Set(reached(into, key));
    found.set(key, before);
    return before;
  };
}

function reached(into: ReadonlyMap<string, readonly string[]>, key: string): Set<string> {
  const seen = new Set<string>();
  const open = [...(into.get(key) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    open.push(...(into.get(next) ?? []));
  }
  return seen;
}

/** The rules for reconnecting one end of a cable: the cable itself is ignored. */
export const rewiring = (graph: CanvasGraph, cable: string): WhyNot =>
  wiring({ ...graph, cables: graph.cables.filter(({ key }) => key !== cable) });

export function cableEdit(graph: CanvasGraph, from: CanvasEnd, to: CanvasEnd): WorkflowEdit {
  const parent = graph.steps.find(({ key }) => key === from.step)?.parent ?? null;
  return { kind: 'cable.add', body: bodyPath(parent), from: portName(from), to: portName(to) };
}

export function reconnectEdit(cable: CanvasCable, from: CanvasEnd, to: CanvasEnd): WorkflowEdit | null {
  const [newFrom, newTo] = [portName(from), portName(to)];
  const changed = {
    ...(newFrom === cable.cable.from ? {} : { newFrom }),
    ...(newTo === cable.cable.to ? {} : { newTo }),
  };
  if (Object.keys(changed).length === 0) return null;
  return { kind: 'cable.reconnect', body: bodyPath(cable.parent), ...cable.cable, ...changed };
}

export const removeCableEdit = ({ parent, cable }: CanvasCable): WorkflowEdit => ({
  kind: 'cable.remove',
  body: bodyPath(parent),
  ...cable,
});

/** The cable between a new step and the one before it: data if both have a data port, otherwise a signal. */
export function firstFit(
  outputs: CanvasStep['outputs'],
  inputs: readonly Pick<CanvasStep['inputs'][number], 'name' | 'kind'>[],
): { readonly from: string; readonly to: string } | null {
  for (const kind of ['bundle', 'signal'] as const) {
    const from = outputs.find((port) => port.known && port.kind === kind && port.leadsBack !== true);
    const to = inputs.find((port) => port.kind === kind);
    if (from !== undefined && to !== undefined) return { from: from.name, to: to.name };
  }
  return null;
}

/** The key of a step in this body. */
export const keyIn = (body: readonly string[], id: string): string =>
  joined(body.length === 0 ? null : body.join('/'), id);
