import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import type { CoreInit } from '@contract/system/host';
import { CRASHES } from '../adapters/system/machine';
import { QUICK_DEATH_MS } from '../limits/main';
import { dropOldDumps } from './processes/crash-dumps';
import type { Processes } from './processes/processes';
import type { Starts } from './stored/starts';

export interface SafetyOptions {
  readonly dataDir: string;
  /** Nothing is resumed or started, and window and settings are the defaults. */
  readonly safeMode: boolean;
  readonly starts: Starts;
  readonly processes: () => Pick<Processes, 'ownsCore' | 'restart' | 'offer' | 'status'>;
  /** The window shows another history now. */
  readonly reload: () => void;
}

const SAFE_MODE =
  'Safe mode: no run continues, nothing is delivered, and window and settings are the defaults. ' +
  'You can read, export and back up your history.';

/** What leads back to work after a crash: restored backups, safe mode, and the record of starts. */
export class Safety {
  /** The folder of the window's own files. */
  readonly windowFolder: string;
  #restoring: string | null = null;
  /** The current core began on a backup. */
  #restored = false;
  #coreCame = false;

  constructor(private readonly options: SafetyOptions) {
    const { dataDir, safeMode } = options;
    this.windowFolder = safeMode ? emptyFolder(join(dataDir, 'safe-mode')) : dataDir;
  }

  begin(): void {
    if (!this.options.safeMode) return;
    const last = this.options.starts.lastCrash();
    const crash = last === null ? '' : ` The last crash, ${last.at}: ${last.text}`;
    const text = SAFE_MODE + crash;
    this.options.processes().offer('safe-mode', { level: 'warning', text, act: 'leaveSafeMode' });
  }

  /** When the operator does not wait any more. */
  tidy(): void {
    dropOldDumps(join(this.options.dataDir, CRASHES));
  }

  /** The next core puts the backup in place before it opens the database. */
  restore(path: string): Result<Record<string, never>> {
    if (!this.options.processes().ownsCore)
      return fail('store.locked', 'Another Muster uses the database.', { mend: 'Quit that one first.' });
    this.#restoring = path;
    this.options.processes().restart('core');
    return ok({});
  }

  /** For the next core. Once: one that ends in a restore is started again on the files as they are then. */
  coreInit(): Pick<CoreInit, 'restore' | 'safeMode'> {
    const path = this.#restoring;
    this.#restoring = null;
    this.#restored = path !== null;
    return {
      ...(this.options.safeMode && { safeMode: true }),
      ...(path !== null && { restore: path }),
    };
  }

  /** A start whose core lives for a while was no crash. */
  coreUp(): void {
    this.#coreCame = true;
    if (this.#restored) this.options.reload();
    this.#restored = false;
    setTimeout(() => {
      if (this.options.processes().status().core.state === 'running') this.options.starts.reached();
    }, QUICK_DEATH_MS);
  }

  /** A core that never came up is a start that reached nothing, however the window was closed. */
  ending(): void {
    if (this.#coreCame) this.options.starts.reached();
  }
}

/** Window and settings of safe mode are the defaults, and leave those of the operator as they are. */
function emptyFolder(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}
