import type { Json } from '@contract/ids';
import { isMap, valueAt } from './change';
import type { ValuePath } from './edit';

/** `steps[1].config.re_prompts[0]` as keys and indexes. Does not support keys that contain a dot. */
export const partsOf = (path: string): ValuePath =>
  (path.match(/\[\d+\]|[^.[\]]+/g) ?? []).map((part) =>
    part.startsWith('[') ? Number(part.slice(1, -1)) : part,
  );

/** A place in a document in the form of edits: the path of its step, and the path within it. */
interface DocumentPlace {
  readonly step: string[];
  readonly path: (string | number)[];
}

export function placeOf(document: Json, whole: ValuePath): DocumentPlace {
  const step: string[] = [];
  let at: ValuePath = [];
  for (let rest = whole; ; ) {
    const [list, index] = rest;
    if (list !== 'steps' || typeof index !== 'number') return { step, path: [...rest] };
    const here = valueAt(document, [...at, list, index]);
    if (!isMap(here) || typeof here.id !== 'string') return { step, path: [...rest] };
    step.push(here.id);
    at = [...at, list, index];
    rest = rest.slice(2);
    if (rest[0] !== 'config' || rest[1] !== 'body' || rest[2] !== 'steps') return { step, path: [...rest] };
    at = [...at, 'config', 'body'];
    rest = rest.slice(2);
  }
}

/** A cable in the form of edits. */
interface PlacedCable {
  readonly body: string[];
  readonly from: string;
  readonly to: string;
}

/** The cable that a path leads into; null if it leads elsewhere, or the cable is malformed. */
export function cableAt(document: Json, whole: ValuePath): PlacedCable | null {
  const at = whole.lastIndexOf('cables');
  const cable = at < 0 ? undefined : valueAt(document, whole.slice(0, at + 2));
  if (!isMap(cable) || typeof cable.from !== 'string' || typeof cable.to !== 'string') return null;
  return { body: placeOf(document, whole).step, from: cable.from, to: cable.to };
}

/**
 * Where a problem is shown: at a field of a step (of the workflow if `step` is empty), at a cable, or in the
 * file's text.
 */
export type Aim =
  | ({ readonly kind: 'field' } & DocumentPlace)
  | ({ readonly kind: 'cable' } & PlacedCable)
  | { readonly kind: 'text' };

/** Where a problem at a path of a document is shown and fixed. */
export function aimOf(document: Json, path: string | undefined): Aim {
  const whole = partsOf(path ?? '');
  const cable = cableAt(document, whole);
  if (cable !== null) return { kind: 'cable', ...cable };
  const place = placeOf(document, whole);
  const isShown = place.step.length > 0 || isSetting(document, place.path);
  return isShown ? { kind: 'field', ...place } : { kind: 'text' };
}

/**
 * Whether a path leads to a key of the workflow itself. Malformed steps and cables can only be fixed in the
 * text.
 */
const isSetting = (document: Json, [key]: ValuePath): boolean =>
  isMap(document) && typeof key === 'string' && key !== 'steps' && key !== 'cables';
