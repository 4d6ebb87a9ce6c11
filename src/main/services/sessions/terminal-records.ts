// biome-ignore lint/style/noRestrictedImports: terminals are in the run's own folder.
import { appendFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { notesPath, segmentPath, segmentStart } from '@contract/terminal/files';
import type { OutputLength } from '@contract/terminal/host';
import type { TerminalNote } from '@contract/terminal/view';
import type { Logger } from '../../core/ports/ports';
import type { Store } from '../../core/ports/store';
import type { TerminalRecord } from '../../core/ports/terminals';
import { FIRST_OUTPUT_SPACE_MS, OUTPUT_SPACE_MS } from '../../limits/core';

export interface TerminalRecordsParts {
  readonly store: Pick<
    Store,
    'noteTerminal' | 'closeTerminals' | 'terminalBytes' | 'droppableTerminals' | 'terminalsOf'
  >;
  readonly now: () => number;
  readonly logger: Logger;
  /** Where the folders of the runs lie, each named by its run's uid. */
  readonly artifactsRoot: string;
  /** How many bytes all terminals together may keep. */
  limit(): number;
  openOutputs(): ReadonlySet<string>;
  notice(text: string, id: string): void;
}
const AT_ONCE = 50;

/**
 * What the store knows of terminals: which there are, how long they were when, and what was dropped. And the limit on
 * all of them together: what is in the bin goes first, then what belongs to finished runs, the oldest first; never
 * what a run in progress has printed, nor what is open.
 */
export class TerminalRecords {
  #timer: NodeJS.Timeout | undefined;
  readonly #told = new Set<string>();

  constructor(private readonly parts: TerminalRecordsParts) {
    // What an earlier core left open is over, or the terminal host names it again.
    parts.store.closeTerminals();
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

  printed(outputPath: string, lengths: readonly OutputLength[]): void {
    if (lengths.length > 0) this.parts.store.noteTerminal({ kind: 'lengths', outputPath, lengths });
  }

  evicted(outputPath: string, before: number): void {
    this.parts.store.noteTerminal({ kind: 'evicted', outputPath, before });
    if (this.#told.has(outputPath)) return;
    this.#told.add(outputPath);
    const name = basename(outputPath, '.log');
    const text = `The terminal ${name} exceeded the output limit: its oldest output is being dropped. See Settings, Terminals.`;
    this.parts.notice(text, `terminal-evicted-${outputPath}`);
  }

  ended(outputPath: string): void {
    this.parts.store.noteTerminal({ kind: 'closed', outputPath, at: this.parts.now() });
  }

  /** Drops what is over the limit on all terminals together; gives how many outputs went. */
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

/** The run and the name of a terminal by where its output is: `<root>/<uid>/<folder>/<name>.log`. */
function placeOf(outputPath: string, root: string): { uid: string; name: string } | null {
  const parts = outputPath.startsWith(`${root}${sep}`) ? outputPath.slice(root.length + 1).split(sep) : [];
  const [uid, , file] = parts;
  return uid && file && parts.length === 3 ? { uid, name: basename(file, '.log') } : null;
}

/**
 * Drops the whole output. The terminal is still found by its first file, which is empty; another, empty too and named by
 * the end of the output, says where a next program would continue.
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
