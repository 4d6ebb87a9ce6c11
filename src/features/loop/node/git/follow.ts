import {
  closeSync,
  constants,
  type FSWatcher,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
  watch,
} from 'node:fs';
import { join } from 'node:path';
import { FILE_ORDER_SLACK_MS, NOTED_PLAN_BYTES } from '../../contract/limits';
import type { FoundLog } from '../../contract/ports';
import type { Kept } from './file-cache';
import { HEAD_BYTES, markOfHead } from './files';

/** The state when an attempt's log appeared. Times are file times, in milliseconds since 1970. */
export interface Beginning {
  readonly plan: { readonly text: string; readonly changedAt: number } | null;
  readonly progress: { readonly bytes: number; readonly changedAt: number } | null;
  readonly notedAt: number;
}

const LOG = /^codex-iteration-(\d+)(\.jsonl|-last-message\.txt|-stderr\.log)$/;
const MOST_LOGS = 100;
const MOST_SEEN = 20;

/** Follows a loop's logs as they appear. Reads at once: a later read might include the attempt's changes. */
export class Following {
  readonly #beginnings = new Map<number, Beginning>();
  /** The last state of each log: a log that is now another file, or shorter, was restarted. */
  readonly #sizes = new Map<number, { readonly ino: number; readonly size: number }>();
  /**
   * The logs seen under one name, oldest first: a quick attempt's log is overwritten before a look finds it.
   */
  readonly #seen = new Map<number, FoundLog[]>();
  #folder: FSWatcher | null = null;
  #logs: FSWatcher | null = null;

  constructor(
    readonly path: string,
    /** The cache shared by its looks. */
    readonly kept: Kept,
    private readonly changed: () => void,
  ) {
    this.#folder = this.#watch(path, (name) => {
      if (name === 'logs') this.#watchLogs();
    });
    this.#watchLogs();
  }

  /** The state when this iteration's log appeared, at that moment or later; null if that was not observed. */
  beginning(iteration: number, since: number): Beginning | null {
    const noted = this.#beginnings.get(iteration) ?? null;
    return noted === null || noted.notedAt < since - FILE_ORDER_SLACK_MS ? null : noted;
  }

  /** Logs that were seen but no longer exist, oldest first. */
  gone(found: readonly FoundLog[]): FoundLog[] {
    const present = new Set(found.map(({ iteration, mark }) => `${iteration} ${mark}`));
    return [...this.#seen.values()]
      .flat()
      .filter(({ iteration, mark }) => !present.has(`${iteration} ${mark}`))
      .map((log) => ({ ...log, gone: true }));
  }

  end(): void {
    this.#folder?.close();
    this.#logs?.close();
  }

  #watchLogs(): void {
    this.#logs?.close();
    const logs = join(this.path, 'logs');
    this.#logs = this.#watch(logs, (name) => this.#heard(name));
    // From before the folder was watched.
    if (this.#logs !== null) for (const name of namesIn(logs)) this.#heard(name);
  }

  #heard(name: string): void {
    const [, number = '', ending] = LOG.exec(name) ?? [];
    const iteration = Number(number);
    if (number === '') return;
    if (ending === '.jsonl') this.#see(iteration, join(this.path, 'logs', name));
    const begins = ending === '.jsonl' && this.#isAnew(iteration, join(this.path, 'logs', name));
    const isNew = begins || !this.#beginnings.has(iteration);
    if (isNew) this.#note(iteration);
    if (isNew || ending === '-last-message.txt') this.changed();
  }

  #isAnew(iteration: number, path: string): boolean {
    const now = read(() => statSync(path));
    const before = this.#sizes.get(iteration);
    this.#sizes.set(iteration, { ino: now?.ino ?? 0, size: now?.size ?? 0 });
    if (now === null || before === undefined) return false;
    return now.ino !== before.ino || now.size < before.size;
  }

  #see(iteration: number, path: string): void {
    const log = read(() => {
      const { ino, size, mtimeMs: writtenAt } = statSync(path);
      const head = readHead(path);
      const mark = markOfHead(head, { ino, size });
      return mark === null ? null : { iteration, mark, ended: true, writtenAt };
    });
    if (log === null) return;
    const seen = this.#seen.get(iteration) ?? [];
    const others = seen.filter(({ mark }) => mark !== log.mark).slice(-MOST_SEEN);
    this.#seen.set(iteration, [...others, log]);
    // A log replaced another: record the state at once.
    if (others.length === seen.length && seen.length > 0) this.changed();
  }

  #note(iteration: number): void {
    this.#beginnings.set(iteration, {
      notedAt: Date.now(),
      plan: read(() => {
        const path = join(this.path, 'prd.json');
        const facts = statSync(path);
        const { size, mtimeMs: changedAt } = facts;
        // A named pipe would block the whole core.
        if (!facts.isFile() || size > NOTED_PLAN_BYTES) return null;
        const text = readFileSync(path, 'utf8');
        // Otherwise it was written meanwhile, and the time does not match the text.
        return statSync(path).mtimeMs === changedAt ? { text, changedAt } : null;
      }),
      progress: read(() => {
        const { size: bytes, mtimeMs: changedAt } = statSync(join(this.path, 'progress.txt'));
        return { bytes, changedAt };
      }),
    });
    const [oldest] = this.#beginnings.keys();
    if (this.#beginnings.size > MOST_LOGS && oldest !== undefined) {
      this.#beginnings.delete(oldest);
      this.#sizes.delete(oldest);
      this.#seen.delete(oldest);
    }
  }

  #watch(path: string, heard: (name: string) => void): FSWatcher | null {
    return read(() => {
      const watcher = watch(path, { persistent: false }, (_kind, name) => name !== null && heard(name));
      // The folder is gone, or the system no longer watches it: then it is only polled.
      watcher.on('error', () => watcher.close());
      return watcher;
    });
  }
}

function readHead(path: string): string {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, HEAD_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

const namesIn = (path: string): string[] => read(() => readdirSync(path)) ?? [];

function read<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}
