// biome-ignore lint/style/noRestrictedImports: terminals are in the run's own folder.
import { appendFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { notesPath, segmentPath, segmentStart } from '@areas/terminals/contract/files';
import type { TerminalNote } from '@areas/terminals/contract/view';
import type { Logger } from '@main/core/ports/ports';
import type { Store } from '@main/core/ports/store/store';
import type { TerminalRecord } from '@main/core/ports/store/terminals';
import { FIRST_OUTPUT_SPACE_MS, OUTPUT_SPACE_MS } from '@main/limits/core';

interface TerminalRecordsParts {
  readonly store: Pick<Store, 'noteTerminal' | 'closeTerminals' | 'terminalBytes' | 'droppableTerminals'>;
  readonly now: () => number;
  readonly logger: Logger;
  /** The parent of the runs' folders, each named after its run's uid. */
  readonly artifactsRoot: string;
  /** Maximum bytes of all terminals together. */
  limit(): number;
  openOutputs(): ReadonlySet<string>;
  notice(text: string, id: string): void;
}
const AT_ONCE = 50;

/**
 * The store's records of terminals: which exist, how long each is, and what was dropped. Also enforces
 * the total limit: drops output of runs in the bin first, then of finished runs, oldest first; never output
 * of running runs or open terminals.
 */
export class TerminalRecords {
  #timer: NodeJS.Timeout | undefined;
  readonly #reported = new Set<string>();

  constructor(private readonly parts: TerminalRecordsParts) {
    // Terminals left open by an earlier core have ended, unless the terminal host reports them again.
    parts.store.closeTerminals(parts.now());
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.look();
      this.#timer = setInterval(() => this.look(), OUTPUT_SPACE_MS).unref();
    }, FIRST_OUTPUT_SPACE_MS).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  opened(outputPath: string): void {
    const place = placeOf(outputPath, this.parts.artifactsRoot);
    if (place) this.parts.store.noteTerminal({ kind: 'opened', outputPath, ...place, at: this.parts.now() });
  }

  printed(outputPath: string, bytes: number): void {
    this.parts.store.noteTerminal({ kind: 'printed', outputPath, bytes });
  }

  evicted(outputPath: string, before: number): void {
    this.parts.store.noteTerminal({ kind: 'evicted', outputPath, before });
    if (this.#reported.has(outputPath)) return;
    this.#reported.add(outputPath);
    const count = this.#reported.size;
    const what = count === 1 ? 'The output of a terminal' : `The output of ${count} terminals`;
    const text = `${what} exceeded the limit: the oldest part is being dropped. See Settings, Terminals.`;
    // One notice that counts, not one for each.
    this.parts.notice(text, 'terminals-evicted');
  }

  ended(outputPath: string): void {
    this.parts.store.noteTerminal({ kind: 'closed', outputPath, at: this.parts.now() });
  }

  /** Drops output beyond the total limit; returns how many outputs were dropped. */
  look(): number {
    const { store, notice } = this.parts;
    let over = store.terminalBytes() - this.parts.limit();
    if (over <= 0) return 0;
    const open = this.parts.openOutputs();
    const gone: TerminalRecord[] = [];
    for (const one of store.droppableTerminals(AT_ONCE)) {
      if (over <= 0) break;
      if (open.has(one.outputPath) || !this.#drop(one)) continue;
      gone.push(one);
      over -= one.bytes - one.evicted;
    }
    const bytes = gone.reduce((sum, one) => sum + one.bytes - one.evicted, 0);
    const megabytes = Math.max(1, Math.round(bytes / 2 ** 20));
    if (gone.length > 0)
      notice(
        `All terminals together exceeded the output limit. The output of ${gone.length} terminals of finished runs was dropped (${megabytes} MB).`,
        `terminals-dropped-${this.parts.now()}`,
      );
    return gone.length;
  }

  #drop({ outputPath, bytes }: TerminalRecord): boolean {
    try {
      dropOutput(outputPath, { end: bytes, at: this.parts.now() });
    } catch (cause) {
      this.parts.logger.warn('the output of a terminal could not be dropped', {
        outputPath,
        cause: String(cause),
      });
      return false;
    }
    this.parts.store.noteTerminal({ kind: 'evicted', outputPath, before: bytes });
    return true;
  }
}

/** A terminal's run and name from its output's path: `<root>/<uid>/<folder>/<name>.log`. */
function placeOf(outputPath: string, root: string): { uid: string; name: string } | null {
  const parts = outputPath.startsWith(`${root}${sep}`) ? outputPath.slice(root.length + 1).split(sep) : [];
  const [uid, , file] = parts;
  return uid && file && parts.length === 3 ? { uid, name: basename(file, '.log') } : null;
}

/**
 * Drops the whole output. The empty first file still identifies the terminal; a second empty file, named by
 * the end offset, records where a next program would continue.
 */
function dropOutput(outputPath: string, { end, at }: { end: number; at: number }): void {
  const folder = dirname(outputPath);
  const base = basename(outputPath);
  const pieces = readdirSync(folder).filter((name) => (segmentStart(base, name) ?? 0) > 0);
  if (end > 0) writeFileSync(segmentPath(outputPath, end), '', { mode: 0o600, flag: 'a' });
  truncateSync(outputPath, 0);
  for (const name of pieces) {
    if (segmentStart(base, name) !== end) rmSync(join(folder, name), { force: true });
  }
  const note: TerminalNote = { kind: 'evicted', at, offset: end, by: 'folder' };
  appendFileSync(notesPath(outputPath), `${JSON.stringify(note)}\n`, { mode: 0o600 });
}
