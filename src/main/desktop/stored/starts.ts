import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { STARTS_WITHIN_MS } from '../../limits/main';

/** Starts in a row that reached nothing, after which safe mode is offered. */
const TROUBLED = 3;

/**
 * Starts that have not reached a working window and core, one time a line. A start notes itself before it
 * does anything else, so one that crashes stays noted. Plain text: a start does not wait for a parser.
 */
export class Starts {
  readonly #path: string;
  readonly #crashPath: string;

  constructor(
    dataDir: string,
    private readonly now: () => number = Date.now,
  ) {
    this.#path = join(dataDir, 'unfinished-starts');
    this.#crashPath = join(dataDir, 'last-crash');
  }

  /** Notes this start. True if the last ones ended before they reached anything. */
  begin(): boolean {
    const now = this.now();
    const recent = read(this.#path)
      .split('\n')
      .map(Number)
      .filter((at) => at > now - STARTS_WITHIN_MS && at <= now);
    this.#write(this.#path, [...recent, now].join('\n'));
    return recent.length >= TROUBLED;
  }

  /** This start works, or was ended in order: earlier ones no longer count. */
  reached(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // Safe mode is then offered once too often.
    }
  }

  /** Kept for the next start: this one may be the next to crash. */
  crashed(text: string): void {
    this.#write(this.#crashPath, `${new Date(this.now()).toISOString()} ${text}`);
  }

  /** When and how a process of Muster crashed last; null if none ever did. */
  lastCrash(): { readonly at: string; readonly text: string } | null {
    const [, at, text] = /^(\S+) (.+)$/.exec(read(this.#crashPath)) ?? [];
    return at === undefined || text === undefined ? null : { at, text };
  }

  #write(path: string, text: string): void {
    try {
      mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
      writeFileSync(path, text, { mode: 0o600 });
    } catch {
      // A disk that is full must not keep Muster from starting.
    }
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
