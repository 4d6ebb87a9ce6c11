import { type Json, stepIdSchema } from '@contract/ids';
import type { Result } from '@contract/result';
import type { Edits, WorkflowFile, WorkflowFileView } from '@renderer/client/files/workflow-file';
import { plural } from '@renderer/client/format';
import { call } from '@renderer/client/rpc';
import { complain } from '@renderer/client/toasts';
import type { WorkflowEdit } from '../../../../contract/edit';
import type { FileChange } from '../../../../contract/editing';
import type { CanvasEnd, CanvasGraph, CanvasStep } from '../graph/graph';
import { STEP_HEIGHT } from '../graph/ports';
import type { Placement, Point } from '../layout/place';
import { arranged } from '../layout/use-placement';
import { allOf, NOTHING, onlyStep, type Selection } from '../selection';
import { type Alignment, alignedPlaces, type Box } from './align';
import { type Clip, clipOf, clipText, outermost, pasteEdits, readClip } from './clip';
import { type GroupMade, groupEdits, lostComments } from './group';
import { additionOf, type StepType, stepsIn } from './new-step';
import { allMoves, bodyUnder, filePoint, moveEdits, unplaced } from './places';
import {
  bodyPath,
  cableEdit,
  editableSteps,
  reconnectEdit,
  removeCableEdit,
  rewiring,
  stepPath,
  titleOf,
  wiring,
} from './wiring';

/** A question of the canvas: a list to choose from, a name, or whether a step that is used may be removed. */
export type CanvasQuestion =
  | { readonly kind: 'type' }
  | { readonly kind: 'connect'; readonly from: string; readonly port?: string }
  | { readonly kind: 'outputs'; readonly step: string }
  | { readonly kind: 'align' }
  | { readonly kind: 'reconnect'; readonly cable: string }
  | { readonly kind: 'rename'; readonly step: string }
  | { readonly kind: 'place'; readonly step: string }
  | { readonly kind: 'group'; readonly grouped: GroupMade; readonly lost: readonly string[] }
  | { readonly kind: 'remove'; readonly keys: readonly string[]; readonly uses: readonly string[] };

/** The objects that the actions work on: the file, its graph and the selection. */
export interface Bench {
  readonly projectId: number;
  readonly file: string;
  readonly open: WorkflowFile;
  readonly view: WorkflowFileView;
  readonly document: Json;
  readonly graph: CanvasGraph;
  readonly placement: Placement;
  readonly selection: Selection;
  readonly here: string | null;
  readonly types: readonly StepType[];
  readonly onSelect: (selection: Selection) => void;
  readonly onRenamed: (from: string, to: string) => void;
  readonly say: (text: string) => void;
  readonly ask: (question: CanvasQuestion | null) => void;
  /** Brings a step into sight once it is drawn. */
  readonly showLater: (key: string) => void;
}

const stepOf = ({ graph }: Bench, key: string | null): CanvasStep | null =>
  graph.steps.find((step) => step.key === key) ?? null;

const nameOf = (bench: Bench, key: string): string => {
  const step = stepOf(bench, key);
  return step === null ? key : titleOf(step);
};

const endName = (bench: Bench, { step, port }: CanvasEnd, side: 'inputs' | 'outputs'): string => {
  const label = stepOf(bench, step)?.[side].find(({ name }) => name === port)?.label ?? port;
  return `${nameOf(bench, step)}, ${label}`;
};

/** Makes edits and announces them. The file reports why edits failed. */
async function make(bench: Bench, edits: Edits, said: string): Promise<boolean> {
  const done = await bench.open.edit(edits);
  if (done) bench.say(said);
  return done;
}

/** Adds a step of a type: at a point of the workflow, or after the selected step, or at the end. */
export async function addStep(bench: Bench, type: StepType, point: Point | null = null): Promise<void> {
  const found = stepOf(bench, bench.here);
  const after = found !== null && editableSteps(bench.graph).has(found.key) ? found : null;
  const under = point === null ? null : bodyUnder(bench, point);
  const place = under === null ? { after } : { after: null, parent: under.parent, position: under.at };
  const where = under === null && after !== null ? ` after ${titleOf(after)}` : '';
  let key = '';
  // The id must be free in the file at the time of writing: earlier edits may still be pending.
  const edits = (document: Json) => {
    const addition = additionOf({ document, type, ...place });
    key = addition.key;
    return addition.edits;
  };
  if (!(await make(bench, edits, `${type.title} was added${where}`))) return;
  bench.onSelect(onlyStep(key));
  bench.showLater(key);
}

export async function connect(bench: Bench, from: CanvasEnd, to: CanvasEnd): Promise<void> {
  const why = wiring(bench.graph)(from, to);
  if (why !== null) return bench.say(why);
  const said = `Cable from ${endName(bench, from, 'outputs')}, to ${endName(bench, to, 'inputs')}`;
  await make(bench, [cableEdit(bench.graph, from, to)], said);
}

export async function reconnect(
  bench: Bench,
  key: string,
  ends: readonly [CanvasEnd, CanvasEnd],
): Promise<void> {
  const cable = bench.graph.cables.find((one) => one.key === key);
  const edit = cable === undefined ? null : reconnectEdit(cable, ...ends);
  if (edit === null) return;
  const why = rewiring(bench.graph, key)(...ends);
  if (why !== null) return bench.say(why);
  const [from, to] = ends;
  const names = `${endName(bench, from, 'outputs')}, to ${endName(bench, to, 'inputs')}`;
  await make(bench, [edit], `The cable leads from ${names}`);
}

/** Moves steps to these positions in the file, with one move per step. */
export async function moveSteps(bench: Bench, moves: ReadonlyMap<string, Point>): Promise<boolean> {
  const edits = moveEdits(bench.graph, moves);
  if (edits.length === 0) {
    bench.say('Nothing was moved: these steps are in another file');
    return false;
  }
  const done = await bench.open.edit(edits, 'canvas move');
  if (done && edits.length > 1) bench.say(`${edits.length} steps were moved`);
  else if (done)
    for (const [key, { x, y }] of moves) bench.say(`${nameOf(bench, key)} is at ${x} across, ${y} down`);
  return done;
}

/** Gives every shown step a position by the automatic layout. */
export async function arrange(bench: Bench): Promise<void> {
  const graph = unplaced(bench.graph);
  const placement = await arranged(graph, STEP_HEIGHT);
  const edits = moveEdits(bench.graph, allMoves({ graph, placement }));
  if (edits.length === 0) return bench.say('The steps are already arranged');
  if (!(await make(bench, edits, `${plural(edits.length, 'step')} arranged`))) return;
  const first = bench.here ?? bench.graph.steps[0]?.key;
  if (first !== undefined) bench.showLater(first);
}

/** Aligns the selected steps. */
export async function align(bench: Bench, how: Alignment): Promise<void> {
  const editable = editableSteps(bench.graph);
  const parent = editable.get(bench.here ?? '')?.parent;
  const boxes = new Map<string, Box>();
  for (const key of bench.selection.steps) {
    const point = bench.placement.at.get(key);
    const size = bench.placement.sizes.get(key);
    if (point === undefined || size === undefined || editable.get(key)?.parent !== parent) continue;
    boxes.set(key, { ...filePoint(bench, key, point), ...size });
  }
  if (boxes.size < 2) return bench.say('Select two steps or more of the same body to align them');
  const moves = alignedPlaces(boxes, how);
  if (moveEdits(bench.graph, moves).length === 0) return bench.say('The steps are already aligned');
  await moveSteps(bench, moves);
}

/** Turns the selected steps into a sub-workflow. The file is written only if this causes no new errors. */
export async function group(bench: Bench): Promise<void> {
  const { projectId, file, view, document } = bench;
  const grouped = groupEdits(document, bench.selection.steps);
  if ('whyNot' in grouped) return bench.say(grouped.whyNot);
  const edits = [...grouped.edits];
  const dry = await call('workflow.edit', { projectId, file, base: view.hash, edits, dry: true });
  if (!dry.ok || dry.value.kind !== 'written') return bench.say('The file was changed elsewhere. Try again.');
  const checked = await call('workflow.check', { projectId, file, text: dry.value.text });
  const known = new Set(view.checked?.problems.map(({ message }) => message));
  const fault = checked.ok
    ? checked.value.problems.find(({ severity, message }) => severity === 'error' && !known.has(message))
    : undefined;
  if (fault !== undefined) return bench.say(`These steps cannot be a sub-workflow: ${fault.message}`);
  const lost = lostComments(view.text, dry.value.text);
  if (lost.length > 0) bench.ask({ kind: 'group', grouped, lost });
  else await writeGroup(bench, grouped);
}

export async function writeGroup(bench: Bench, { key, edits }: GroupMade): Promise<void> {
  const said = `${plural(bench.selection.steps.size, 'step')} became a sub-workflow`;
  if (!(await make(bench, edits, said))) return;
  bench.onSelect(onlyStep(key));
  bench.showLater(key);
}

/** Removes the selection; asks first if other steps refer to a removed step. */
export async function remove(bench: Bench): Promise<void> {
  const { graph, selection } = bench;
  const cable = graph.cables.find(({ key }) => key === selection.cable);
  if (cable !== undefined) {
    if (await make(bench, [removeCableEdit(cable)], 'The cable was removed')) bench.onSelect(NOTHING);
    return;
  }
  const editable = editableSteps(graph);
  const keys = outermost(selection.steps).filter((key) => editable.has(key));
  if (keys.length === 0) return bench.say('The selection cannot be removed here');
  const emptied = bodyEmptiedBy(bench, keys);
  if (emptied !== null)
    return bench.say(
      `${nameOf(bench, emptied)} needs a step inside. Add another one first, or remove all of it.`,
    );
  const { projectId, file, view } = bench;
  const edits = removeEdits(keys);
  const dry = await call('workflow.edit', { projectId, file, base: view.hash, edits, dry: true });
  const uses = usesOf(bench, dry);
  if (uses.length > 0) bench.ask({ kind: 'remove', keys, uses });
  else await removeSteps(bench, keys);
}

const removeEdits = (keys: readonly string[]): WorkflowEdit[] =>
  keys.map((key) => ({ kind: 'step.remove', step: stepPath(key) }));

/** The step whose body would become empty, which is not allowed. */
function bodyEmptiedBy({ document, graph }: Bench, keys: readonly string[]): string | null {
  const parents = new Set(keys.flatMap((key) => graph.steps.find((step) => step.key === key)?.parent ?? []));
  for (const parent of parents) {
    const left = stepsIn(document, bodyPath(parent)).filter(({ id }) => !keys.includes(`${parent}/${id}`));
    if (left.length === 0) return parent;
  }
  return null;
}

/** The places that would still refer to a removed step, in words. */
function usesOf(bench: Bench, dry: Result<FileChange>): string[] {
  if (!dry.ok || dry.value.kind !== 'written') return [];
  return (dry.value.dangling ?? []).map(({ removed, path, step }) => {
    const user = bench.graph.steps.find(({ id }) => id === step);
    const key = path.slice(path.lastIndexOf('.') + 1).replaceAll('_', ' ');
    if (step === null) return `The workflow names “${removed}” in its ${key}`;
    return `${user === undefined ? step : titleOf(user)} names “${removed}” in its ${key}`;
  });
}

/** Removes steps with their cables, then selects the step before the first of them. */
export async function removeSteps(bench: Bench, keys: readonly string[]): Promise<void> {
  const [first] = keys;
  const gone = new Set(keys);
  const before = bench.graph.cables.find(({ to, from }) => to.step === first && !gone.has(from.step));
  const said =
    keys.length === 1 ? `${nameOf(bench, first ?? '')} was removed` : `${keys.length} steps were removed`;
  if (!(await make(bench, removeEdits(keys), said))) return;
  bench.onSelect(before === undefined ? NOTHING : onlyStep(before.from.step));
}

/** Renames a step. The title is the name that is shown; cables and references use the id. */
export async function rename(
  bench: Bench,
  key: string,
  { id, title }: { readonly id: string; readonly title: string },
): Promise<void> {
  const step = stepOf(bench, key);
  const path = stepPath(key);
  if (step === null || !stepIdSchema.safeParse(id).success) return;
  const edits: WorkflowEdit[] = [];
  if (title !== (step.step?.title ?? ''))
    edits.push(
      title === ''
        ? { kind: 'value.unset', step: path, path: ['title'] }
        : { kind: 'value.set', step: path, path: ['title'], value: title },
    );
  if (id !== step.id) edits.push({ kind: 'step.rename', step: path, id });
  if (!(await make(bench, edits, `The step is called ${title === '' ? id : title}`)) || id === step.id)
    return;
  bench.onRenamed(key, [...path.slice(0, -1), id].join('/'));
}

/** Copies the selected steps to the clipboard as YAML. */
export async function copySteps(bench: Bench): Promise<boolean> {
  const clip = clipOf(bench.document, bench.selection.steps);
  if (clip.steps.length === 0) return false;
  const done = await call('app.copyText', { text: clipText(clip) });
  if (done.ok) bench.say(`${plural(clip.steps.length, 'step')} copied`);
  else complain(done.error);
  return done.ok;
}

/** Pastes the steps of a text after the selected one, or into the workflow. The core parses the YAML. */
export async function pasteText(bench: Bench, text: string): Promise<void> {
  const { projectId, file } = bench;
  const read = await call('workflow.check', { projectId, file, text });
  const clip = read.ok ? readClip(read.value.value) : null;
  if (clip === null) return bench.say('The clipboard holds no steps');
  await addClip(bench, clip);
}

async function addClip(bench: Bench, clip: Clip): Promise<void> {
  const here = bench.here === null ? undefined : editableSteps(bench.graph).get(bench.here);
  let keys: readonly string[] = [];
  // As in `addStep`: if the text is pasted twice in a row, the second copies need other ids.
  const edits = (document: Json) => {
    const pasted = pasteEdits(document, clip, bodyPath(here?.parent ?? null));
    keys = pasted.keys;
    return pasted.edits;
  };
  if (!(await make(bench, edits, `${plural(new Set(clip.steps.map(({ id }) => id)).size, 'step')} pasted`)))
    return;
  bench.onSelect(allOf(keys));
  if (keys[0] !== undefined) bench.showLater(keys[0]);
}

/** Duplicates the selected steps without using the clipboard. */
export async function duplicate(bench: Bench): Promise<void> {
  const clip = clipOf(bench.document, bench.selection.steps);
  if (clip.steps.length > 0) await addClip(bench, clip);
}

export async function undo({ open, say }: Bench): Promise<void> {
  await open.undo();
  say('Undone');
}

export async function redo({ open, say }: Bench): Promise<void> {
  await open.redo();
  say('Redone');
}
