import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { link, mkdir, rename, stat, unlink } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { type Homes, rehome } from '@areas/projects/node/rehome-runs';
import { messageOf } from '@contract/error-message';
import { appError } from '@contract/errors';
import { firstFinding } from '@contract/findings';
import type { ProcedureOutput } from '@contract/ipc';
import { err, fail, ok, type Result } from '@contract/result';
import { type StoredEvent, storedEventSchema } from '@contract/run/events';
import { maskedEvent } from '@contract/run/masked-event';
import { unreadableSchema } from '@contract/run/procedures';
import { replay } from '@contract/run/reduce';
import type { RunState } from '@contract/run/state';
import { type LargeText, largeTextsIn, sha256Schema } from '@contract/whole-text';
import { cutShort } from '@main/core/engine/turns/truncate-history';
import type { Store } from '@main/core/ports/store/store';
import { type RunTextFiles, TextFault, type WholeTexts } from '@main/core/ports/whole-texts';
import { namedLines } from '@main/guarded-files/lines';
import type { Trouble } from '@main/guarded-files/trouble';
import { IMPORTED_FILE_BYTES, IMPORTED_LINE_BYTES } from '@main/limits/core-sizes';
import { z } from 'zod';
import { readablePart } from './unreadable-runs';

/** First line of an export. The definition is in the run's first event. */
const headerSchema = z.object({
  muster: z.literal('run'),
  version: z.literal(1),
  uid: z.string(),
  name: z.string(),
  events: z.number().int().positive(),
  exportedAt: z.number(),
  /**
   * For a partly unreadable history: the readable events are followed by `raw` lines, which are not imported.
   */
  unreadable: unreadableSchema.optional(),
});

/** A text that is too large for its event; `missing` says why the file has it not. */
const textSchema = z.strictObject({
  text: z.union([
    z.strictObject({ sha256: sha256Schema, content: z.string() }),
    z.strictObject({ sha256: sha256Schema, missing: z.string() }),
  ]),
});

/** An event that was unreadable when the file was written. */
const rawSchema = z.strictObject({ raw: z.object({ seq: z.number() }) });

export interface ArchiveParts extends Homes {
  readonly store: Store;
  readonly textFiles: RunTextFiles;
  readonly now: () => number;
}

/** Writes a run as one JSON Lines file: a header, then its events in order. Never overwrites a file. */
export async function exportRun(
  parts: ArchiveParts,
  input: { runId: number; path: string },
): Promise<Result<ProcedureOutput<'run.export'>>> {
  const path = resolve(input.path);
  const row = parts.store.run(input.runId);
  if (row === null) return fail('not_found', `there is no run ${input.runId}`);
  if (existsSync(path)) return err(thereAlready(path));
  // A running run may have more by the time its events are written.
  const { seq: count, unreadable } = readablePart(parts.store, input.runId);
  if (count === 0) return err(unreadableWhole(input.runId));
  let raw = 0;
  // It gets its final name only once it is complete.
  const part = `${path}.${process.pid}.part`;
  try {
    await mkdir(dirname(path), { recursive: true });
    const head = { muster: 'run', version: 1, uid: row.uid, name: row.name, events: count };
    const rest = unreadable === null ? {} : { unreadable };
    await writeLines(part, function* () {
      yield { ...head, exportedAt: parts.now(), ...rest };
      const large = new Map<string, LargeText>();
      let artifactsDir = '';
      for (const event of parts.store.log.read(input.runId)) {
        if (event.event.type === 'run.started') artifactsDir = event.event.artifactsDir;
        largeTextsIn(event.event, large);
        yield maskedEvent(event);
        if (event.seq >= count) break;
      }
      for (const text of large.values()) yield textLine(parts.textFiles.of(artifactsDir), text);
      if (unreadable === null) return;
      for (const event of parts.store.rawEvents(input.runId, count)) {
        raw += 1;
        yield { raw: event };
      }
    });
    await nameIt(part, path);
    return ok({ path, events: count, raw, bytes: (await stat(path)).size });
  } catch (cause) {
    await unlink(part).catch(() => undefined);
    return err(isA(cause, 'EEXIST') ? thereAlready(path) : notWritten(path, cause));
  }
}

function textLine(texts: Pick<WholeTexts, 'read'>, { sha256 }: LargeText): z.infer<typeof textSchema> {
  try {
    return { text: { sha256, content: texts.read({ sha256 }) } };
  } catch (cause) {
    if (cause instanceof TextFault) return { text: { sha256, missing: cause.message } };
    throw cause;
  }
}

async function writeLines(file: string, lines: () => Iterable<unknown>): Promise<void> {
  const out = createWriteStream(file, { flags: 'w', mode: 0o600 });
  await once(out, 'open');
  for (const line of lines()) if (!out.write(`${JSON.stringify(line)}\n`)) await once(out, 'drain');
  out.end();
  await once(out, 'close');
}

/** Never replaces a file. On file systems without hard links, existence is checked beforehand. */
async function nameIt(part: string, path: string): Promise<void> {
  try {
    await link(part, path);
    await unlink(part).catch(() => undefined);
  } catch (cause) {
    if (isA(cause, 'EEXIST')) throw cause;
    if (existsSync(path)) throw Object.assign(new Error('it already exists'), { code: 'EEXIST' });
    await rename(part, path);
  }
}

const isA = (cause: unknown, code: string): boolean =>
  cause instanceof Error && 'code' in cause && cause.code === code;

const unreadableWhole = (runId: number) =>
  appError(
    'store.failed',
    `run ${runId} cannot be exported: its history is damaged, or from a newer Muster`,
    {
      mend: 'Export it with the newest version of Muster you have used.',
    },
  );

const thereAlready = (path: string) =>
  appError('conflict', `${path} already exists`, { where: { file: path }, mend: 'choose another name' });

const notWritten = (path: string, cause: unknown) =>
  appError(
    isA(cause, 'ENOSPC') ? 'store.disk_full' : 'project.not_writable',
    `${path} cannot be written: ${String(cause)}`,
    { where: { file: path } },
  );

interface Importing {
  readonly path: string;
  /** The folder for its texts, until it is known whose they are. */
  readonly staging: string;
  /** Until the run is stored it can be stopped. */
  readonly stop: AbortSignal;
}

/** Imports an export as a separate run; all or nothing. */
export async function importRun(
  parts: ArchiveParts,
  { path, staging, stop }: Importing,
): Promise<Result<{ runId: number }>> {
  const file = resolve(path);
  const refuse = (message: string, line: number) =>
    fail('import.invalid', `${basename(file)}, line ${line}: ${message}`, {
      where: { file, line },
      mend: 'choose a file that Muster exported',
    });
  const texts = parts.textFiles.of(staging);
  const lines = await namedLines(file, { fileBytes: IMPORTED_FILE_BYTES, lineBytes: IMPORTED_LINE_BYTES });
  if (lines === null) return fail('not_found', `there is no file ${path}`, { where: { file } });
  if ('trouble' in lines)
    return fail('import.invalid', `${path}: ${lines.trouble}`, { where: { file }, mend: MEND });
  const read = await readEvents(stoppable(lines, stop), refuse, texts).catch((cause: unknown) => {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    return fail('import.invalid', `${file} cannot be read: ${cause.message}`, {
      where: { file },
      mend: MEND,
    });
  });
  if (stop.aborted) return fail('cancelled', 'The import was cancelled, and nothing was imported.');
  return read.ok ? insert(parts, { ...read.value, staging }, refuse) : read;
}

/** The lines up to the moment of the stop. */
async function* stoppable(
  lines: AsyncGenerator<string, Trouble | null>,
  stop: AbortSignal,
): AsyncGenerator<string, Trouble | null> {
  try {
    for (;;) {
      const next = await lines.next();
      if (stop.aborted) return null;
      if (next.done === true) return next.value;
      yield next.value;
    }
  } finally {
    await lines.return(null);
  }
}

const MEND = 'choose a readable file that Muster exported';

type Refuse = (message: string, line: number) => Result<never>;

interface ReadRun {
  readonly events: StoredEvent[];
  readonly texts: readonly { readonly sha256: string }[];
}

async function readEvents(
  lines: AsyncGenerator<string, Trouble | null>,
  refuse: Refuse,
  keeper: WholeTexts,
): Promise<Result<ReadRun>> {
  try {
    return await eventsOf(lines, refuse, keeper);
  } finally {
    await lines.return(null);
  }
}

async function eventsOf(
  lines: AsyncGenerator<string, Trouble | null>,
  refuse: Refuse,
  keeper: WholeTexts,
): Promise<Result<ReadRun>> {
  const events: StoredEvent[] = [];
  const texts: { sha256: string }[] = [];
  let expected = 0;
  let line = 0;
  for (;;) {
    const next = await lines.next();
    line += 1;
    if (next.done === true) {
      if (next.value !== null) return refuse(next.value.trouble, line);
      break;
    }
    const given = next.value;
    // Some editors and mail programs add a byte order mark.
    const text = line === 1 ? given.replace(/^\uFEFF/, '') : given;
    if (text === '') continue;
    const value = parsed(text);
    if (value === undefined) return refuse('it is not JSON', line);
    if (line === 1) {
      const header = headerSchema.safeParse(value);
      if (!header.success) return refuse('it does not start with the header of an exported run', line);
      expected = header.data.events;
      continue;
    }
    if (rawSchema.safeParse(value).success) continue;
    const named = textSchema.safeParse(value);
    if (named.success) {
      const { text: one } = named.data;
      if ('missing' in one) continue;
      const kept = await keeper.keepLater(one.content);
      if (!kept.ok) return kept;
      if (typeof kept.value === 'string' || kept.value.sha256 !== one.sha256)
        return refuse('it is not the text that its hash names', line);
      texts.push(kept.value);
      continue;
    }
    const event = eventOf(value);
    if (event === null) return refuse('it is nested too deeply', line);
    if (!event.success) return refuse(`it is not an event: ${firstFinding(event.error)}`, line);
    if (event.data.seq !== events.length + 1) return refuse(`event ${events.length + 1} is missing`, line);
    events.push(event.data);
  }
  if (events.length === 0) return refuse('it holds no run', 1);
  if (events.length !== expected)
    return refuse(`the header promises ${expected} events, ${events.length} are there`, line);
  return ok({ events, texts });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Null if its values are nested deeper than a schema can follow. */
function eventOf(value: unknown): ReturnType<typeof storedEventSchema.safeParse> | null {
  try {
    return storedEventSchema.safeParse(value);
  } catch (cause) {
    if (cause instanceof RangeError) return null;
    throw cause;
  }
}

const IMPORTED = {
  when: 'it was in flight when the run was exported',
  reason: 'imported while it was not finished',
};

async function insert(
  parts: ArchiveParts,
  { events, texts, staging }: ReadRun & { readonly staging: string },
  refuse: Refuse,
): Promise<Result<{ runId: number }>> {
  let state: RunState | null;
  try {
    state = replay(events);
  } catch (cause) {
    return refuse(`its events do not make a run: ${messageOf(cause)}`, 2);
  }
  if (state === null) return refuse('it does not begin with the start of a run', 2);
  const { projectPath, uid } = state;
  if (!isRunName(uid)) return refuse(`"${uid.slice(0, 80)}" cannot name a run`, 2);
  // Before the project: if the run already exists, nothing is written.
  if (parts.store.runByUid(uid) !== null) return fail('conflict', `the run ${uid} is here already`);
  const last = events[events.length - 1];
  // A run still active elsewhere must not continue here by itself.
  const cut = state.status === 'finished' || last === undefined ? [] : cutShort(state, IMPORTED);
  const closed = rehome(events, parts).concat(
    cut.map((event, index) => ({ id: 0, runId: 1, at: 0, ...last, seq: events.length + index + 1, event })),
  );
  const home = closed[0]?.event.type === 'run.started' ? closed[0].event.artifactsDir : staging;
  const shared = await parts.textFiles.share(texts, staging, home);
  if (!shared.ok) return shared;
  const done = parts.store.importRun(closed, projectOf(parts, projectPath));
  return done.ok ? ok({ runId: done.value }) : done;
}

/**
 * Folders, refs and branches are named after it, and deleting the run deletes them. It must not lead
 * elsewhere, nor equal the name under which deleted runs' states are kept, nor that of a device on Windows.
 */
const isRunName = (uid: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/.test(uid) && !/^(kept|con|prn|aux|nul|(com|lpt)\d)$/i.test(uid);

/**
 * The project in which the run was made. A project missing on this machine is listed anyway, as a missing
 * folder.
 */
function projectOf({ store, now }: ArchiveParts, path: string): number {
  const known = store.projects().find((project) => project.path === path);
  return (known ?? store.addProject(path, basename(path), now())).id;
}
