import { ownValue } from './own';

/** `1 story`, `2 stories`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;

/** A number field of a record from outside; null if it is no number. */
export function numberIn(record: Readonly<Record<string, unknown>>, key: string): number | null {
  const value = ownValue(record, key);
  return typeof value === 'number' ? value : null;
}
