import { MIB } from './size-units';

const KIB = 1024;

const trim = (value: number): string => value.toFixed(value < 100 ? 1 : 0).replace(/\.0$/, '');

/** `512 B`, `64 kB`, `3.1 MB`. */
export function decimalBytes(value: number): string {
  if (value < 1000) return `${value} B`;
  if (value < 1_000_000) return `${trim(value / 1000)} kB`;
  if (value < 1_000_000_000) return `${trim(value / 1_000_000)} MB`;
  return `${trim(value / 1_000_000_000)} GB`;
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['B', 1],
  ['kB', 1000],
  ['KiB', KIB],
  ['MB', 1_000_000],
  ['MiB', MIB],
]);

/** The bytes of a size with its unit; 0 for an unknown unit. */
export const bytesOf = (count: number, unit: string): number => count * (UNITS.get(unit) ?? 0);

/** A size that someone chose as a limit keeps its unit: `64 KiB`, `10 MiB`; any other is `3.1 MB`. */
export function sizeWords(value: number): string {
  if (value >= MIB && value % MIB === 0) return `${value / MIB} MiB`;
  if (value >= KIB && value < MIB && value % KIB === 0) return `${value / KIB} KiB`;
  return decimalBytes(value);
}
