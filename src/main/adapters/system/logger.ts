import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Logger } from '../../core/ports/ports';
import { LOG_FILE_BYTES, LOG_FOLDER_BYTES } from '../../limits/core-sizes';

/** What a log needs of the disk; replaced in tests. */
export interface LogDisk {
  append(path: string, line: string): void;
  rename(from: string, to: string): void;
}

interface LogSizes {
  readonly fileBytes: number;
  /** Of all logs in the folder. */
  readonly folderBytes: number;
}

const SIZES: LogSizes = { fileBytes: LOG_FILE_BYTES, folderBytes: LOG_FOLDER_BYTES };
/** The current file and the two before it. */
const GENERATIONS = 3;
/** A longer line is cut: one that is as large as the file would leave nothing else. */
const LINE_CHARACTERS = 64 * 1024;

const nodeDisk: LogDisk = {
  append(path, line) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    appendFileSync(path, line, { mode: 0o600 });
  },
  rename: (from, to) => renameSync(from, to),
};

/**
 * The log of a process: JSON lines, in a file of bounded size with older ones beside it. A log failure must
 * not stop what is being logged, so nothing here throws; the next line that can be written tells how many
 * are missing.
 */
export function createLogger(path: string, { disk = nodeDisk, sizes = SIZES } = {}): Logger {
  let missing = 0;
  const append = (level: string, message: string, detail?: Record<string, unknown>): void => {
    const text = JSON.stringify({ at: new Date().toISOString(), level, message, ...detail });
    disk.append(path, `${text.length > LINE_CHARACTERS ? `${text.slice(0, LINE_CHARACTERS)}…` : text}\n`);
  };
  const write = (level: string, message: string, detail?: Record<string, unknown>): void => {
    try {
      if (sizeOf(path) >= sizes.fileBytes) rotate(path, { disk, sizes });
      if (missing > 0) append('warn', 'lines before this one could not be written', { missing });
      missing = 0;
      append(level, message, detail);
    } catch {
      missing += 1;
    }
  };
  return {
    info: (message, detail) => write('info', message, detail),
    warn: (message, detail) => write('warn', message, detail),
    error: (message, detail) => write('error', message, detail),
  };
}

/** The files of a log, newest first. */
export const logFilesOf = (path: string): string[] =>
  Array.from({ length: GENERATIONS }, (_, age) => (age === 0 ? path : `${path}.${age}`));

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function rotate(path: string, { disk, sizes }: { disk: LogDisk; sizes: LogSizes }): void {
  try {
    const files = logFilesOf(path);
    for (let age = files.length - 1; age > 0; age -= 1) {
      const [from = '', to = ''] = [files[age - 1], files[age]];
      if (sizeOf(from) > 0) disk.rename(from, to);
    }
  } catch {
    // It grows beyond its size rather than lose a line. On Windows another program may be reading it.
  }
  dropOldest(dirname(path), sizes.folderBytes - sizes.fileBytes);
}

const isOlder = (name: string): boolean => /\.log\.\d+$/.test(name);

/** Older files of all logs, until all logs together fit. */
function dropOldest(folder: string, mostBytes: number): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.log') || isOlder(name))
    .map((name) => ({ path: join(folder, name), facts: statSync(join(folder, name)) }))
    .sort((one, other) => one.facts.mtimeMs - other.facts.mtimeMs);
  let bytes = files.reduce((sum, { facts }) => sum + facts.size, 0);
  for (const { path, facts } of files) {
    if (bytes <= mostBytes) return;
    if (!isOlder(basename(path))) continue;
    rmSync(path, { force: true });
    bytes -= facts.size;
  }
}
