import { createHash } from 'node:crypto';
import { constants, createReadStream, type Stats } from 'node:fs';
import { copyFile, mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readGuarded } from '@main/guarded-files/read';
import { FILE_ORDER_SLACK_MS, LOG_LINE_BYTES, PLAN_BYTES } from '../../contract/limits';
import type { FoundLog, LineReader, LoopPlace } from '../../contract/ports';
import type { Kept } from './file-cache';
import { timesOf } from './times';

const MESSAGE_LIMIT = 256 * 1024;
const PROGRESS_LIMIT = 64 * 1024;

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

const factsOf = async (path: string): Promise<Stats | null> => {
  try {
    const facts = await stat(path);
    return facts.isFile() ? facts : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const sizeOf = async (path: string): Promise<number | null> => (await factsOf(path))?.size ?? null;

/** A part of a file as text. */
async function slice(path: string, from: number, to: number): Promise<string> {
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const bytes = Buffer.alloc(Math.max(0, to - from));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

const planPath = (folder: string): string => join(folder, 'prd.json');

/** The text of prd.json; null if there is none. */
export async function planText({ cwd, folder }: LoopPlace): Promise<string | null> {
  const read = await readGuarded({ root: cwd, path: planPath(join(cwd, folder)), most: PLAN_BYTES });
  if (read === null) return null;
  if ('trouble' in read) throw new Error(`prd.json: ${read.trouble}`);
  return read.bytes.toString('utf8');
}

const progressPath = (folder: string): string => join(folder, 'progress.txt');

/** The beginning that ralph.sh writes: a heading, the start time, a rule. */
export const progressHead = (now: Date): string => `# Ralph Progress Log\nStarted: ${now.toString()}\n---\n`;

export async function beginProgress(folder: string, now: Date): Promise<void> {
  if ((await sizeOf(progressPath(folder))) !== null) return;
  await mkdir(folder, { recursive: true });
  await writeFile(progressPath(folder), progressHead(now));
}

async function hashOf(path: string, bytes: number): Promise<string> {
  const hash = createHash('sha256');
  if (bytes > 0) for await (const chunk of createReadStream(path, { end: bytes - 1 })) hash.update(chunk);
  return hash.digest('hex');
}

export interface ProgressFacts {
  readonly progressBytes: number;
  readonly progressHash: string;
}

/** The current size of progress.txt; `upTo`: as if it ended there. */
export async function progressNow(folder: string, upTo = Number.POSITIVE_INFINITY): Promise<ProgressFacts> {
  const progressBytes = Math.min((await sizeOf(progressPath(folder))) ?? 0, upTo);
  return { progressBytes, progressHash: await hashOf(progressPath(folder), progressBytes) };
}

/** `planText` and `progressNow`, rereading only changed files. */
export async function filesNow(
  place: LoopPlace,
  kept: Kept | null,
): Promise<ProgressFacts & { readonly text: string | null }> {
  const folder = join(place.cwd, place.folder);
  const plan = kept === null ? null : await factsOf(planPath(folder));
  const progress = kept === null ? null : await factsOf(progressPath(folder));
  const text = () => planText(place);
  const facts = () => progressNow(folder);
  return {
    text: kept === null || plan === null ? await text() : await kept.plan.of(planPath(folder), plan, text),
    ...(kept === null || progress === null
      ? await facts()
      : await kept.progress.of(progressPath(folder), progress, facts)),
  };
}

/** When a file of the loop was last modified, in milliseconds since 1970; null if there is none. */
export async function changedAt(folder: string, name: 'prd.json' | 'progress.txt'): Promise<number | null> {
  const facts = await stat(join(folder, name)).catch(() => null);
  return facts?.mtimeMs ?? null;
}

/** The text appended since, up to a size; empty if the file was shortened or its beginning changed. */
export async function appendedSince(folder: string, before: ProgressFacts, upTo: number): Promise<string> {
  const path = progressPath(folder);
  const size = Math.min((await sizeOf(path)) ?? 0, upTo);
  if (size <= before.progressBytes) return '';
  if ((await hashOf(path, before.progressBytes)) !== before.progressHash) return '';
  return slice(path, Math.max(before.progressBytes, size - PROGRESS_LIMIT), size);
}

/** The three log files of an iteration (seed 004 section 1). */
const LOGS = ['.jsonl', '-last-message.txt', '-stderr.log'] as const;
export const logBase = (iteration: number): string => `codex-iteration-${iteration}`;

/**
 * Makes room for an attempt's logs. Before a retry, the first try's logs are copied and then removed, so that
 * a repeated call after a crash has nothing left to do.
 */
export async function makeRoom(folder: string, { iteration, retry }: { iteration: number; retry: number }) {
  const logs = join(folder, 'logs');
  await mkdir(logs, { recursive: true });
  const base = logBase(iteration);
  if (retry === 0) {
    const names = await readdir(logs);
    const kept = names.filter((name) => name.startsWith(`${base}-attempt-`));
    await Promise.all(kept.map((name) => rm(join(logs, name), { force: true })));
  }
  for (const ending of LOGS) {
    const path = join(logs, base + ending);
    if ((await sizeOf(path)) === null) continue;
    if (retry > 0) await copyFile(path, join(logs, `${base}-attempt-${retry}${ending}`));
    await rm(path, { force: true });
  }
}

interface FoundMessage {
  readonly message: string | null;
  /** How many milliseconds it is older than its log's last entry. */
  readonly lag: number;
}

/**
 * An iteration's message file. In a watched loop it may be an earlier attempt's, so a file from before its
 * log's creation is ignored.
 */
export async function lastMessage(
  folder: string,
  iteration: number,
  watched: boolean,
): Promise<FoundMessage> {
  const base = join(folder, 'logs', logBase(iteration));
  const path = `${base}-last-message.txt`;
  const size = await sizeOf(path);
  if (size === null) return { message: null, lag: 0 };
  const message = await slice(path, Math.max(0, size - MESSAGE_LIMIT), size);
  const log = watched ? await timesOf(`${base}.jsonl`) : null;
  if (log === null) return { message, lag: 0 };
  const { written } = (await timesOf(path)) ?? log;
  return written < log.born - FILE_ORDER_SLACK_MS
    ? { message: null, lag: 0 }
    : { message, lag: Math.max(0, log.written - written) };
}

/**
 * For a worker that keeps no logs: writes what Muster knows under the same names. The log itself comes last:
 * if it exists, the worker keeps its own, or everything was already written.
 */
export async function writeMissing(
  folder: string,
  iteration: number,
  texts: Readonly<Record<(typeof LOGS)[number], () => string>>,
): Promise<void> {
  const path = (ending: string): string => join(folder, 'logs', logBase(iteration) + ending);
  if ((await sizeOf(path('.jsonl'))) !== null) return;
  await mkdir(dirname(path('.jsonl')), { recursive: true });
  for (const ending of [...LOGS].reverse()) await writeFile(path(ending), texts[ending]());
}

/** Reads a log piece by piece: holds at most one line of at most 4 MiB. */
export async function readLog(folder: string, iteration: number, reader: LineReader): Promise<void> {
  const path = join(folder, 'logs', `${logBase(iteration)}.jsonl`);
  if ((await sizeOf(path)) === null) return;
  const lines = new Lines(reader);
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }))
    lines.push(chunk as Buffer);
  lines.end();
}

class Lines {
  private pending: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly reader: LineReader) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      this.take(chunk.subarray(start, end));
      this.end();
      start = end + 1;
    }
    this.take(chunk.subarray(start));
  }

  private take(part: Buffer): void {
    this.bytes += part.length;
    if (this.bytes > LOG_LINE_BYTES) this.pending = [];
    else if (part.length > 0) this.pending.push(part);
  }

  end(): void {
    if (this.bytes > 0 && this.bytes <= LOG_LINE_BYTES)
      this.reader.line(Buffer.concat(this.pending).toString('utf8'));
    this.pending = [];
    this.bytes = 0;
  }
}

export const HEAD_BYTES = 4_096;
const TAIL_BYTES = 64 * 1024;
const LOG_NAME = /^codex-iteration-(\d+)\.jsonl$/;

/** From its file and first line; null if that line is not complete yet. */
async function markOf(path: string, size: number): Promise<string | null> {
  const head = await slice(path, 0, Math.min(size, HEAD_BYTES));
  return markOfHead(head, { ino: (await stat(path)).ino, size });
}

/** `markOf` for a log whose beginning was read. */
export function markOfHead(
  head: string,
  { ino, size }: { readonly ino: number; readonly size: number },
): string | null {
  const first = head.split('\n')[0] ?? '';
  if (first === head && size < HEAD_BYTES) return null;
  return createHash('sha256').update(`${ino} ${first}`).digest('hex').slice(0, 16);
}

/** Whether an iteration's log has been replaced by another than the one with this mark. */
export async function isAnotherLog(folder: string, iteration: number, mark: string): Promise<boolean> {
  const path = join(folder, 'logs', `${logBase(iteration)}.jsonl`);
  const size = await sizeOf(path);
  return size === null || (await markOf(path, size)) !== mark;
}

/** The existing logs, identified by file and beginning: a retry starts a new one with the same name. */
export async function foundLogs(folder: string, kept: Kept | null): Promise<FoundLog[]> {
  const logs = join(folder, 'logs');
  const names = await readdir(logs).catch(() => []);
  const found = names.map(async (name): Promise<FoundLog[]> => {
    const iteration = Number(LOG_NAME.exec(name)?.[1] ?? 0);
    const path = join(logs, name);
    const facts = iteration > 0 ? await stat(path).catch(() => null) : null;
    // An empty log cannot be attributed yet.
    if (facts === null || !facts.isFile() || facts.size === 0) return [];
    const read = () => logIn(path, iteration, facts);
    const log = await (kept === null ? read() : kept.logs.of(path, facts, read));
    return log === null ? [] : [log];
  });
  return (await Promise.all(found)).flat().sort((one, other) => one.iteration - other.iteration);
}

async function logIn(
  path: string,
  iteration: number,
  { size, mtimeMs: writtenAt }: Stats,
): Promise<FoundLog | null> {
  const mark = await markOf(path, size);
  if (mark === null) return null;
  const tail = (await slice(path, Math.max(0, size - TAIL_BYTES), size)).split('\n').slice(-3).join('\n');
  const ended = /"type"\s*:\s*"turn\.(?:completed|failed)"/.test(tail);
  return { iteration, mark, ended, writtenAt };
}
