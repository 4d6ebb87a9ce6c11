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

/** What there was when an attempt's log appeared. Times are those of the files, in milliseconds since 1970. */
export interface Beginning {
  readonly plan: { readonly text: string; readonly changedAt: number } | null;
  readonly progress: { readonly bytes: number; readonly changedAt: number } | null;
  readonly notedAt: number;
}

const LOG = /^codex-iteration-(\d+)(\.jsonl|-last-message\.txt|-stderr\.log)$/;
const MOST_LOGS = 100;
const MOST_SEEN = 20;

/** Follows the logs of a loop as they appear. Reads in one go: a later reading might find what the attempt has done. */
export class Following {
  readonly #beginnings = new Map<number, Beginning>();
  /** Each log as it was last: one that is another file by now, or shorter, was begun again. */
  readonly #sizes = new Map<number, { readonly ino: number; readonly size: number }>();
  /** The logs that were seen under one name, oldest first: a quick attempt's is overwritten before a look finds it. */
  readonly #seen = new Map<number, FoundLog[]>();
  #folder: FSWatcher | null = null;
  #logs: FSWatcher | null = null;

  constructor(
    readonly path: string,
    /** What its looks know of each other. */
    readonly kept: Kept,
    private readonly changed: () => void,
  ) {
    this.#folder = this.#watch(path, (name) => {
      if (name === 'logs') this.#watchLogs();
    });
    this.#watchLogs();
  }

  /** What there was when the log of this iteration appeared, at that moment or later; null where that was not seen. */
  beginning(iteration: number, since: number): Beginning | null {
    const noted = this.#beginnings.get(iteration) ?? null;
    return noted === null || noted.notedAt < since - FILE_ORDER_SLACK_MS ? null : noted;
  }

  /** Logs that were seen and are no longer there, oldest first. */
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
    // What came before the folder was watched.
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
    // A log in the place of another one: what was there before is told at once.
    if (others.length === seen.length && seen.length > 0) this.changed();
  }

  #note(iteration: number): void {
    this.#beginnings.set(iteration, {
      notedAt: Date.now(),
      plan: read(() => {
        const path = join(this.path, 'prd.json');
        const facts = statSync(path);
        const { size, mtimeMs: changedAt } = facts;
        // A named pipe would stop the whole core.
        if (!facts.isFile() || size > NOTED_PLAN_BYTES) return null;
        const text = readFileSync(path, 'utf8');
        // Else it was written meanwhile, and the time is not that of the text.
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
      // The folder is gone, or the system watches no more: then it is only looked at now and then.
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
