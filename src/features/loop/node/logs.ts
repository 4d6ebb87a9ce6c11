import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { ParsedInput, ProcedureOutput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import { withGuarded } from '@main/guarded-files/read';
import { LOG_AFTER_END_MS } from '../contract/limits';
import type { LoopLog } from '../contract/procedures';
import type { AttemptState, LoopState } from '../contract/state';

type Page = ProcedureOutput<'loop.log'>;

/** The names of seed 004; a first try's logs have another name once it was retried. */
const NAMES: Readonly<Record<LoopLog, string>> = {
  jsonl: '.jsonl',
  message: '-last-message.txt',
  stderr: '-stderr.log',
};

/** The iteration was tried again after this attempt. */
const isRetried = (loop: LoopState, { id, iteration }: Pick<AttemptState, 'id' | 'iteration'>): boolean =>
  loop.attempts.some((other) => other.iteration === iteration && other.id > id);

/** A watched attempt whose log files are now a later one's. */
export const isOverwritten = (loop: LoopState, attempt: AttemptState): boolean =>
  loop.watch !== null && isRetried(loop, attempt);

/** An attempt's file, in the logs folder. */
export function logName(loop: LoopState, { id, iteration, retry }: AttemptState, which: LoopLog): string {
  // Another's script overwrites the logs of a first try.
  const retried = loop.watch === null && isRetried(loop, { id, iteration });
  return `codex-iteration-${iteration}${retried ? `-attempt-${retry + 1}` : ''}${NAMES[which]}`;
}

/**
 * A page of a log below `cwd`. A missing file (not written yet, or never) is returned as empty, without a
 * path. Fails if it cannot be read, or leads out of `cwd`.
 */
export async function readLog(
  place: { readonly cwd: string; readonly folder: string; readonly name: string },
  { from, bytes }: Pick<ParsedInput<'loop.log'>, 'from' | 'bytes'>,
  endedAt: number | null,
): Promise<Result<Page>> {
  const path = join(place.cwd, place.folder, 'logs', place.name);
  const where = { file: path };
  try {
    const page = await withGuarded({ root: place.cwd, path }, (file) =>
      readPage(file, { from, bytes }, endedAt),
    );
    if (page === null) return ok(NO_PAGE);
    if ('trouble' in page)
      return fail('not_found', `${path} is not read: ${page.trouble}`, { where, mend: page.mend });
    return ok({ path, ...page });
  } catch (cause) {
    return fail('unavailable', `${path} cannot be read: ${String(cause)}`, { where });
  }
}

const NO_PAGE = { path: null, text: '', from: 0, to: 0, size: 0, overwritten: false } as const;

async function readPage(
  file: FileHandle,
  { from, bytes }: { from: number; bytes: number },
  endedAt: number | null,
): Promise<Omit<Page, 'path'>> {
  const { size, mtimeMs } = await file.stat();
  const start = Math.min(from, size);
  const wanted = Math.min(bytes, size - start);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(wanted), position: start });
  const read = buffer.subarray(0, bytesRead);
  const page = start + bytesRead >= size ? read : wholeLines(read);
  return {
    text: page.toString('utf8'),
    from: start,
    to: start + page.length,
    size,
    overwritten: endedAt !== null && mtimeMs > endedAt + LOG_AFTER_END_MS,
  };
}

/** Up to the last line end; a line longer than the page is cut between two characters. */
function wholeLines(page: Buffer): Buffer {
  const end = page.lastIndexOf(0x0a);
  if (end >= 0) return page.subarray(0, end + 1);
  let lead = page.length - 1;
  while (lead > 0 && ((page[lead] ?? 0) & 0xc0) === 0x80) lead -= 1;
  const first = page[lead] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
  return lead === 0 || lead + length <= page.length ? page : page.subarray(0, lead);
}
