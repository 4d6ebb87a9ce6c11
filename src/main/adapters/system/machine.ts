import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { LOG_FILE_BYTES } from '../../limits/core-sizes';
import { logFilesOf } from './logger';

export const CRASHES = 'crashes';

/** The processes with a log of their own. */
const LOGS = ['main', 'core', 'terminals'] as const;

/** What diagnostics say of this machine and of Muster's own files in the data folder. */
export class ThisMachine {
  constructor(
    private readonly dataDir: string,
    private readonly version: string,
  ) {}

  about(): object {
    const { node, electron = null, v8 } = process.versions;
    return {
      muster: this.version,
      electron,
      node,
      v8,
      platform: platform(),
      release: release(),
      arch: arch(),
      processors: cpus().length,
      memoryBytes: totalmem(),
    };
  }

  logs(): readonly string[] {
    return LOGS;
  }

  lastLines(log: string, most: number): string[] {
    let lines: string[] = [];
    for (const file of logFilesOf(join(this.dataDir, 'logs', `${log}.log`))) {
      lines = [...linesOf(file), ...lines];
      if (lines.length >= most) break;
    }
    return lines.slice(-most);
  }

  crashes() {
    return filesBelow(join(this.dataDir, CRASHES))
      .filter(({ name }) => name.endsWith('.dmp'))
      .sort((one, other) => other.at - one.at);
  }
}

/** The newest lines of a file: no more than a log may hold. */
function linesOf(path: string): string[] {
  try {
    const descriptor = openSync(path, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const bytes = Buffer.alloc(Math.min(size, 2 * LOG_FILE_BYTES));
      const read = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString('utf8', 0, read).split('\n').filter(Boolean);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return [];
  }
}

interface FoundFile {
  readonly name: string;
  readonly path: string;
  readonly at: number;
  readonly bytes: number;
}

/** All files in a folder and in those below it. */
export function filesBelow(folder: string): FoundFile[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      const { mtimeMs, size } = statSync(path);
      return [{ name: entry.name, path, at: Math.trunc(mtimeMs), bytes: size }];
    });
  } catch {
    return [];
  }
}
