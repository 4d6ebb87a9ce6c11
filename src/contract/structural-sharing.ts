import { ownValue, setOwnValue } from './own';

/**
 * `next`, with every unchanged part replaced by the same object from `last`, so that values derived from it
 * need not be computed again. Returns `last` itself if nothing differs. For plain data; modifies neither.
 */
export const shareStructure = <T>(last: unknown, next: T): T => shared(last, next) as T;

function shared(last: unknown, next: unknown): unknown {
  if (Object.is(last, next)) return next;
  if (Array.isArray(next)) return Array.isArray(last) ? sharedList(last, next) : next;
  return isPlain(next) && isPlain(last) ? sharedRecord(last, next) : next;
}

/** Entries after an insertion or removal are compared by their distance from the end. */
function sharedList(last: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const moved = last.length - next.length;
  let shift = 0;
  let isNext = true;
  let isLast = moved === 0;
  const made: unknown[] = [];
  for (let index = 0; index < next.length; index += 1) {
    const entry = next[index];
    const before = last[index + shift];
    let one = shared(before, entry);
    if (shift === 0 && moved !== 0 && one !== before) {
      const behind = shared(last[index + moved], entry);
      if (behind === last[index + moved]) {
        shift = moved;
        one = behind;
      }
    }
    isNext &&= one === entry;
    isLast &&= Object.is(one, last[index]);
    made.push(one);
  }
  if (isLast) return last;
  return isNext ? next : made;
}

type PlainRecord = Readonly<Record<string, unknown>>;

/** Most records are unchanged, so a new object is built only if it equals neither. */
function sharedRecord(last: PlainRecord, next: PlainRecord): PlainRecord {
  const names = Object.keys(next);
  const before = Object.keys(last);
  let isLast = names.length === before.length;
  let isNext = true;
  const values: unknown[] = [];
  for (let index = 0; index < names.length; index += 1) {
    const name = names[index] ?? '';
    const entry = ownValue(next, name);
    const isSamePlace = before[index] === name;
    const held = ownValue(last, name);
    const one = shared(held, entry);
    isNext &&= one === entry;
    isLast &&= isSamePlace && Object.is(one, held);
    values.push(one);
  }
  if (isLast) return last;
  if (isNext) return next;
  const made: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) setOwnValue(made, name, values[index]);
  return made;
}

const isPlain = (value: unknown): value is PlainRecord =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
