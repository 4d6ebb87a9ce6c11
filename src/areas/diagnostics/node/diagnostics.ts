import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { ProcedureOutput } from '@contract/ipc';
import { fail, ok, type Result } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import type { Settings, SystemStatus } from '@contract/system/procedures';
import { strToU8, zipSync } from 'fflate';
import type { DiagnosticFile } from '../contract/procedures';
import { sharedCrash, sharedRun, sharedSettings, sharedStatus } from '../core/facts';
import { sharedLine } from '../core/log-lines';

/** The newest lines of each log. */
const LOG_LINES = 2000;
const MOST_RUNS = 200;

interface Machine {
  /** Versions and platform; no names. */
  about(): object;
  logs(): readonly string[];
  /** The last lines of a log, oldest first. */
  lastLines(log: string, most: number): readonly string[];
  crashes(): readonly { readonly name: string; readonly at: number; readonly bytes: number }[];
}

interface DiagnosticsParts {
  readonly machine: Machine;
  readonly settings: () => Settings;
  readonly status: () => SystemStatus;
  readonly runs: (most: number) => readonly RunRow[];
  readonly artifactBytes: (row: RunRow) => Promise<number>;
  /** Removes known secrets, and the names and paths of the operator. */
  readonly redact: () => (text: string) => string;
}

type Files = Readonly<Record<string, string>>;

const listOf = (files: Files): DiagnosticFile[] =>
  Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.byteLength(text) }));

/** An archive for a report of a fault, in which no work of the operator can be read. */
export class Diagnostics {
  constructor(private readonly parts: DiagnosticsParts) {}

  async list(): Promise<Result<ProcedureOutput<'diagnostics.list'>>> {
    return ok({ files: listOf(await this.#files()) });
  }

  async save({ path: given }: { path: string }): Promise<Result<ProcedureOutput<'diagnostics.save'>>> {
    const path = resolve(given);
    const files = await this.#files();
    const bytes = zipSync(
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])),
    );
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, bytes, { flag: 'wx', mode: 0o600 });
      return ok({ path, bytes: bytes.length, files: listOf(files) });
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? cause.code : null;
      const where = { file: path };
      if (code === 'EEXIST')
        return fail('conflict', `${path} already exists.`, { where, mend: 'Choose another name.' });
      const kind = code === 'ENOSPC' ? 'store.disk_full' : 'project.not_writable';
      return fail(kind, `${path} cannot be written: ${String(cause)}`, { where });
    }
  }

  async #files(): Promise<Files> {
    const { machine, settings, status, runs, artifactBytes } = this.parts;
    const redact = this.parts.redact();
    const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
    const rows = await Promise.all(
      runs(MOST_RUNS).map(async (row) => sharedRun({ row, artifactBytes: await artifactBytes(row) })),
    );
    const logs = machine.logs().map((log): [string, string] => {
      const lines = machine.lastLines(log, LOG_LINES);
      const shared = lines.flatMap((line) => sharedLine(line, redact) ?? []);
      const unreadable = lines.length - shared.length;
      const note = unreadable === 0 ? [] : [JSON.stringify({ unreadable })];
      return [`logs/${log}.jsonl`, [...shared, ...note, ''].join('\n')];
    });
    return {
      'about.json': json(machine.about()),
      'settings.json': json(sharedSettings(settings())),
      'status.json': json(sharedStatus(status())),
      'runs.json': json(rows),
      'crashes.json': json(machine.crashes().map(sharedCrash)),
      ...Object.fromEntries(logs),
    };
  }

  handlers() {
    return {
      'diagnostics.list': () => this.list(),
      'diagnostics.save': (input: { path: string }) => this.save(input),
    };
  }
}
