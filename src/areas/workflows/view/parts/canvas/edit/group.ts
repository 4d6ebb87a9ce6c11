import type { Json } from '@contract/ids';
import { isMap, type JsonMap } from '../../../../contract/change';
import type { WorkflowEdit } from '../../../../contract/edit';
import { endOf } from '../graph/graph';
import { clipOf, outermost } from './clip';
import { bodyIn, freshId, stepsIn, takenIds } from './new-step';
import { keyIn, stepPath } from './wiring';

const TYPE = 'step.workflow';
/** The ports of a step with a body: other cables cannot cross the border of the body. */
const INPUTS: ReadonlySet<string> = new Set(['data_in', 'context_in', 'instruction_in', 'signal_in']);
const OUTPUTS: ReadonlySet<string> = new Set(['data_out', 'signal_out']);

/** The edits that make a sub-workflow, and the key of its step. */
export interface GroupMade {
  readonly key: string;
  readonly edits: readonly WorkflowEdit[];
}

type Grouped =
  | GroupMade
  /** Why these steps cannot become a sub-workflow. */
  | { readonly whyNot: string };

interface End {
  readonly step: string;
  readonly port: string;
}

/**
 * Edits that move steps into the body of one new step. Cables may enter only its first steps and leave only
 * its last ones: a body starts all steps without an incoming cable and returns what its last steps returned.
 */
export function groupEdits(document: Json, selected: Iterable<string>): Grouped {
  const keys = outermost(selected);
  const body = stepPath(keys[0] ?? '').slice(0, -1);
  if (keys.length < 2) return { whyNot: 'Select two steps or more to make a sub-workflow of them' };
  const clip = clipOf(document, keys);
  if (clip.steps.length !== keys.length)
    return { whyNot: 'The steps of a sub-workflow must be in the same body' };
  const ids = new Set(clip.steps.map(({ id }) => id));
  const border = bordersOf(document, body, ids);
  const firsts = [...ids].filter((id) => !clip.cables.some(({ to }) => endOf(to).step === id));
  const lasts = [...ids].filter((id) => !clip.cables.some(({ from }) => endOf(from).step === id));
  const whyNot = whyNotGroup(border, firsts, lasts);
  if (whyNot !== null) return { whyNot };
  const id = freshId(takenIds(document, body), 'sub_workflow');
  const at = stepsIn(document, body).findIndex((step) => ids.has(String(step.id)));
  const steps: Json[] = clip.steps.map((step) => structuredClone(step));
  const cables: Json[] = clip.cables.map((cable) => ({ ...cable }));
  const step = { id, type: TYPE, ...cornerOf(clip.steps), config: { body: { steps, cables } } };
  const place = [...body];
  const edits: WorkflowEdit[] = [
    // Added before the old steps are removed: the writer of the file then keeps their text with its comments.
    { kind: 'step.add', body: place, step, at },
    ...unique(border.into.map((wire) => ({ ...wire, newTo: `${id}.${endOf(wire.to).port}` }))).map(
      (cable): WorkflowEdit => ({ kind: 'cable.reconnect', body: place, ...cable }),
    ),
    ...unique(border.out.map((wire) => ({ ...wire, newFrom: `${id}.${endOf(wire.from).port}` }))).map(
      (cable): WorkflowEdit => ({ kind: 'cable.reconnect', body: place, ...cable }),
    ),
    ...keys.map((key): WorkflowEdit => ({ kind: 'step.remove', step: stepPath(key) })),
  ];
  return { key: keyIn(body, id), edits };
}

/** The comments that a change removes from a text. */
export function lostComments(before: string, after: string): string[] {
  const left = commentsOf(after);
  return commentsOf(before).filter((comment) => {
    const at = left.indexOf(comment);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** The text after each `#`. Inside a string it is no comment, but is then in both texts. */
const commentsOf = (text: string): string[] =>
  text.split('\n').flatMap((line) => /(?:^|\s)(#.*)$/.exec(line.trimEnd())?.[1] ?? []);

interface Wire {
  readonly from: string;
  readonly to: string;
}

interface Borders {
  readonly into: readonly Wire[];
  readonly out: readonly Wire[];
}

/** The cables between these steps and the other steps of their body. */
function bordersOf(document: Json, body: readonly string[], ids: ReadonlySet<string>): Borders {
  const holder = bodyIn(document, body);
  const list = isMap(holder) && Array.isArray(holder.cables) ? holder.cables : [];
  const wires = list.flatMap((cable): Wire[] =>
    isMap(cable) && typeof cable.from === 'string' && typeof cable.to === 'string'
      ? [{ from: cable.from, to: cable.to }]
      : [],
  );
  const inside = (ref: string) => ids.has(endOf(ref).step);
  return {
    into: wires.filter(({ from, to }) => !inside(from) && inside(to)),
    out: wires.filter(({ from, to }) => inside(from) && !inside(to)),
  };
}

function whyNotGroup(
  { into, out }: Borders,
  firsts: readonly string[],
  lasts: readonly string[],
): string | null {
  const entered = into.map(({ to }) => endOf(to));
  const left = out.map(({ from }) => endOf(from));
  const only = (ends: readonly End[], steps: readonly string[]) =>
    ends.length === 0 || (steps.length === 1 && ends.every(({ step }) => step === steps[0]));
  if (!only(entered, firsts)) return 'Cables from outside may lead only to the first of these steps';
  if (!only(left, lasts)) return 'Cables may leave only the last of these steps';
  const odd = [
    ...entered.filter(({ port }) => !INPUTS.has(port)),
    ...left.filter(({ port }) => !OUTPUTS.has(port)),
  ];
  const [first] = odd;
  return first === undefined
    ? null
    : `The cable at ${first.step}.${first.port} cannot cross the border of a sub-workflow`;
}

interface Rewired extends Wire {
  readonly newFrom?: string;
  readonly newTo?: string;
}

/** Of equal cables only the first one is kept; the others are removed with their steps. */
const unique = <T extends Rewired>(wires: readonly T[]): readonly T[] => {
  const name = ({ from, to, newFrom = from, newTo = to }: T) => `${newFrom}>${newTo}`;
  return wires.filter((wire, at) => wires.findIndex((other) => name(other) === name(wire)) === at);
};

/** The upper left corner of the steps that have positions. */
function cornerOf(steps: readonly JsonMap[]): JsonMap {
  const points = steps.flatMap(({ position }) =>
    isMap(position) && typeof position.x === 'number' && typeof position.y === 'number'
      ? [{ x: position.x, y: position.y }]
      : [],
  );
  if (points.length === 0) return {};
  return { position: { x: Math.min(...points.map(({ x }) => x)), y: Math.min(...points.map(({ y }) => y)) } };
}
