/**
 * How a terminal's output is on disk. The output file holds it from the first byte; what no longer fits there continues
 * in files beside it, each named by the place in the output at which it begins. So a place means the same forever,
 * whatever was dropped before it. A first file that is empty while others are beside it was dropped.
 */

/** The file for the output that begins at `start`. */
export const segmentPath = (outputPath: string, start: number): string =>
  start === 0 ? outputPath : `${outputPath}.${start}`;

/** Where the output in this file begins, by its name beside `base`; null for another file. */
export function segmentStart(base: string, name: string): number | null {
  if (name === base) return 0;
  const rest = name.startsWith(`${base}.`) ? name.slice(base.length + 1) : '';
  return /^[1-9]\d{0,15}$/.test(rest) ? Number(rest) : null;
}

/** What did not come from the program: see terminalNoteSchema. */
export const notesPath = (outputPath: string): string => `${outputPath}.notes.jsonl`;
