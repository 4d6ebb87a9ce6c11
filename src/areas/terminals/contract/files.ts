/**
 * How a terminal's output is stored. The output file starts at the first byte; output beyond its limit goes
 * to further files beside it, named by their start offset. Offsets therefore never change, even after old
 * files are dropped. A first file that is empty while others exist was dropped.
 */

/** The file for the output from offset `start`. */
export const segmentPath = (outputPath: string, start: number): string =>
  start === 0 ? outputPath : `${outputPath}.${start}`;

/** The start offset of this file, from its name beside `base`; null for another file. */
export function segmentStart(base: string, name: string): number | null {
  if (name === base) return 0;
  const rest = name.startsWith(`${base}.`) ? name.slice(base.length + 1) : '';
  return /^[1-9]\d{0,15}$/.test(rest) ? Number(rest) : null;
}

/** The file for notes that did not come from the program: see terminalNoteSchema. */
export const notesPath = (outputPath: string): string => `${outputPath}.notes.jsonl`;
