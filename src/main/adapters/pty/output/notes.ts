import { appendFile } from 'node:fs/promises';
import { notesPath } from '@areas/terminals/contract/files';
import type { TerminalNote } from '@areas/terminals/contract/view';

/** Records what did not come from the program: sizes, and the operator's input. In order, one at a time. */
export class Notes {
  readonly #path: string;
  #writing: Promise<void> = Promise.resolve();

  constructor(outputPath: string) {
    this.#path = notesPath(outputPath);
  }

  add(note: TerminalNote): void {
    const line = `${JSON.stringify(note)}\n`;
    this.#writing = this.#writing
      .then(() => appendFile(this.#path, line, { mode: 0o600 }))
      // A full disk is reported with the output's own error.
      .catch(() => undefined);
  }

  settled(): Promise<void> {
    return this.#writing;
  }
}
