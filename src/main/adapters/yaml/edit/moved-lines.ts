import { isDeepStrictEqual } from 'node:util';
import { applyChange, valueAt } from '@areas/workflows/contract/change';
import type { Json } from '@contract/ids';
import { isMap, type YAMLSeq } from 'yaml';
import { lineEnd, lineStart } from '../splice';
import { columnOf, dashOf, entrySlot, isFirstInLine, isPlainList } from './nodes';
import { inBlock } from './render';
import { type Editing, styleOf } from './replace-value';

const BODY = ['config', 'body'];
const PLACE = /^( *)- old-text-(steps|cables)-(\d+)$/;

interface OldText {
  readonly value: Json;
  readonly slot: Parameters<typeof styleOf>[1];
  /** The lists from which the value's parts come. */
  readonly steps: YAMLSeq;
  readonly cables: unknown;
}

/**
 * A new step whose body consists of steps of this list: their lines are moved unchanged with their comments,
 * and those of the cables between them. Null if the value is something else.
 */
export function withOldText(editing: Editing, { value, slot, steps, cables }: OldText): string[] | null {
  const texts = {
    steps: textsOf(editing, steps, valueAt(value, [...BODY, 'steps'])),
    cables: isPlainList(cables) ? textsOf(editing, cables, valueAt(value, [...BODY, 'cables'])) : null,
  };
  if (texts.steps === null) return null;
  const drawn = (['steps', 'cables'] as const).reduce<Json>((now, key) => {
    const places = texts[key]?.map((_, index) => `old-text-${key}-${index}`);
    return places === undefined ? now : applyChange(now, { op: 'set', path: [...BODY, key], value: places });
  }, value);
  const { head, lines } = inBlock(drawn, 'entry', { ...styleOf(editing, slot), quotes: null });
  return [`- ${head}`, ...lines].flatMap((line) => {
    const [, pad = '', key, index] = PLACE.exec(line) ?? [];
    if (index === undefined) return [line];
    const old = texts[key === 'steps' ? 'steps' : 'cables']?.[Number(index)] ?? [];
    return old.map((one) => (one === '' ? '' : pad + one));
  });
}

/** The lines of these values in a list; null if there are none, or one has no separate lines. */
function textsOf(editing: Editing, list: YAMLSeq, values: Json | undefined): string[][] | null {
  if (!Array.isArray(values) || values.length === 0 || list.flow === true) return null;
  const texts = values.flatMap((value) => {
    const lines = linesOf(editing, list, value);
    return lines === null ? [] : [lines];
  });
  return texts.length === values.length ? texts : null;
}

/** The lines of the entry with the same value, as they are below a dash in column 0. */
function linesOf({ text, document }: Editing, list: YAMLSeq, value: Json): string[] | null {
  const id = valueAt(value, ['id']);
  const index = list.items.findIndex(
    (item) =>
      isMap(item) &&
      (id === undefined || item.get('id') === id) &&
      isDeepStrictEqual(item.toJS(document), value),
  );
  if (index < 0) return null;
  const dash = dashOf(list, index);
  if (!isFirstInLine(text, dash)) return null;
  const column = columnOf(text, dash);
  const entryText = text.slice(lineStart(text, dash), lineEnd(text, entrySlot(text, list, index).stop));
  return entryText
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => (line.slice(0, column).trim() === '' ? line.slice(column) : line.trimStart()));
}
