import { own, setOwn } from './own';

/**
 * `next` with every part of `last` that has the same content: an unchanged part stays the same object, so what is derived
 * from it needs no second computation. Gives `last` itself where nothing differs. For plain data; changes neither value.
 */
export const keptEqual = <T>(last: unknown, next: T): T => kept(last, next) as T;

function kept(last: unknown, next: unknown): unknown {
  if (Object.is(last, next)) return next;
  if (Array.isArray(next)) return Array.isArray(last) ? keptList(last, next) : next;
  return isPlain(next) && isPlain(last) ? keptRecord(last, next) : next;
}

/** Entries behind an insertion or a removal are compared with those at the same distance from the end. */
function keptList(last: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  const moved = last.length - next.length;
  let shift = 0;
  let isNext = true;
  const made = next.map((entry, index) => {
    const before = last[index + shift];
    let one = kept(before, entry);
    if (shift === 0 && moved !== 0 && one !== before) {
      const behind = kept(last[index + moved], entry);
      if (behind === last[index + moved]) {
        shift = moved;
        one = behind;
      }
    }
    isNext &&= one === entry;
    return one;
  });
  if (moved === 0 && made.every((one, index) => Object.is(one, last[index]))) return last;
  return isNext ? next : made;
}

type PlainRecord = Readonly<Record<string, unknown>>;

function keptRecord(last: PlainRecord, next: PlainRecord): PlainRecord {
  const names = Object.keys(next);
  const before = Object.keys(last);
  let isLast = names.length === before.length;
  let isNext = true;
  const made: Record<string, unknown> = {};
  for (const [index, name] of names.entries()) {
    const held = own(last, name);
    const one = kept(held, own(next, name));
    setOwn(made, name, one);
    isNext &&= one === own(next, name);
    isLast &&= before[index] === name && Object.is(one, held);
  }
  if (isLast) return last;
  return isNext ? next : made;
}

const isPlain = (value: unknown): value is PlainRecord =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
