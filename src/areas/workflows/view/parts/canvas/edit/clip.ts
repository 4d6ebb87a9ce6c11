import { type Json, stepIdSchema } from '@contract/ids';
import { pathOfStep } from '../../../../contract/apply-edit';
import { isMap, type JsonMap, valueAt } from '../../../../contract/change';
import { portRefSchema } from '../../../../contract/definition';
import type { WorkflowEdit } from '../../../../contract/edit';
import { bodyIn, freshId, takenIds } from './new-step';
import { keyIn, stepPath } from './wiring';
import { yamlText } from './yaml-text';

type ClipStep = JsonMap & { readonly id: string; readonly type: string };

/** Steps on the clipboard, with the cables between them. */
export interface Clip {
  readonly steps: readonly ClipStep[];
  readonly cables: readonly { readonly from: string; readonly to: string }[];
}

const isStep = (value: Json | undefined): value is ClipStep =>
  isMap(value) &&
  stepIdSchema.safeParse(value.id).success &&
  typeof value.type === 'string' &&
  value.type !== '';

const endOf = (ref: string): string => ref.split('.')[0] ?? '';

/** Without the steps inside the body of another one of them. */
export const outermost = (keys: Iterable<string>): string[] => {
  const all = [...keys];
  return all.filter((key) => !all.some((other) => key.startsWith(`${other}/`)));
};

/** The steps as they are in the file. Only steps in the body of the first one are included. */
export function clipOf(document: Json, keys: Iterable<string>): Clip {
  const paths = outermost(keys).map(stepPath);
  const body = paths[0]?.slice(0, -1) ?? [];
  const steps = paths
    .filter((path) => path.slice(0, -1).join('/') === body.join('/'))
    .flatMap((path) => {
      const place = pathOfStep(document, path);
      const step = place === null ? undefined : valueAt(document, place);
      return isStep(step) ? [step] : [];
    });
  const holder = bodyIn(document, body);
  return { steps, cables: cablesAmong(steps, isMap(holder) ? holder.cables : undefined) };
}

function cablesAmong(steps: readonly ClipStep[], cables: Json | undefined): Clip['cables'] {
  const ids = new Set(steps.map(({ id }) => id));
  return (Array.isArray(cables) ? cables : []).flatMap((cable) => {
    if (!isMap(cable)) return [];
    const [from, to] = [portRefSchema.safeParse(cable.from), portRefSchema.safeParse(cable.to)];
    if (!from.success || !to.success || !ids.has(endOf(from.data)) || !ids.has(endOf(to.data))) return [];
    return [{ from: from.data, to: to.data }];
  });
}

export const clipText = ({ steps, cables }: Clip): string =>
  yamlText({
    steps: [...steps],
    ...(cables.length === 0 ? {} : { cables: cables.map((one) => ({ ...one })) }),
  });

/** The steps in a parsed YAML text; null if it contains none. */
export function readClip(value: Json): Clip | null {
  const list = isMap(value) ? value.steps : value;
  const steps = Array.isArray(list) ? list.filter(isStep) : [];
  if (steps.length === 0) return null;
  return { steps, cables: cablesAmong(steps, isMap(value) ? value.cables : undefined) };
}

/** Offset of a pasted step from its original. */
const BESIDE = 40;

/** Adds the steps under free ids. Cables and references among them are updated. */
export function pasteEdits(
  document: Json,
  clip: Clip,
  body: readonly string[],
): { readonly keys: readonly string[]; readonly edits: readonly WorkflowEdit[] } {
  const taken = takenIds(document, body);
  const names = new Map<string, string>();
  for (const { id } of clip.steps) {
    if (names.has(id)) continue;
    const name = freshId(taken, id);
    taken.add(name);
    names.set(id, name);
  }
  const kept = clip.steps.filter(({ id }, index) => clip.steps.findIndex((one) => one.id === id) === index);
  const named = (ref: string) => (names.get(endOf(ref)) ?? endOf(ref)) + ref.slice(endOf(ref).length);
  const edits: WorkflowEdit[] = [
    ...kept.map((step): WorkflowEdit => {
      const { position, config = {}, ...rest } = renamed(step, names) as ClipStep;
      const id = names.get(step.id) ?? step.id;
      const added = { ...rest, id, type: step.type, ...beside(position), config };
      return { kind: 'step.add', body: [...body], step: added };
    }),
    ...clip.cables.map(({ from, to }): WorkflowEdit => {
      return { kind: 'cable.add', body: [...body], from: named(from), to: named(to) };
    }),
  ];
  return { keys: [...names.values()].map((id) => keyIn(body, id)), edits };
}

const beside = (position: Json | undefined): { readonly position?: { x: number; y: number } } =>
  isMap(position) && typeof position.x === 'number' && typeof position.y === 'number'
    ? { position: { x: position.x + BESIDE, y: position.y + BESIDE } }
    : {};

const REFERENCE = /\$(LOOP_PREV\.)?([A-Za-z_][A-Za-z0-9_-]*)(?=\.(?:output|status)\b)/g;

function renamed(value: Json, names: ReadonlyMap<string, string>): Json {
  if (typeof value === 'string')
    return value.replace(REFERENCE, (whole, loop: string | undefined, id: string) => {
      const name = names.get(id);
      return name === undefined ? whole : `$${loop ?? ''}${name}`;
    });
  if (Array.isArray(value)) return value.map((item) => renamed(item, names));
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, renamed(inner, names)]));
}
