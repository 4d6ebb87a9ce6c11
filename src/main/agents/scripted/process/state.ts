import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const historySchema = z.object({
  cwd: z.string(),
  mode: z.string().nullable(),
  model: z.string().nullable(),
  costUsd: z.number(),
  turns: z.array(z.object({ prompt: z.string(), response: z.string() })),
});
export type History = z.infer<typeof historySchema>;

interface PromptRecord {
  readonly at: string;
  readonly session: string;
  readonly turn: number;
  readonly prompt: string;
  readonly attachments: readonly { readonly type: string; readonly name: string }[];
  readonly cwd: string;
  readonly mode: string | null;
  readonly model: string | null;
}

/** State that survives the process: each session's history, and the received prompts. */
export class State {
  readonly #record: string;

  constructor(
    private readonly folder: string,
    record: string,
  ) {
    this.#record = record;
    mkdirSync(folder, { recursive: true });
    mkdirSync(dirname(record), { recursive: true });
  }

  load(session: string): History | null {
    try {
      return historySchema.parse(JSON.parse(readFileSync(this.#file(session), 'utf8')));
    } catch {
      return null;
    }
  }

  save(session: string, history: History): void {
    const file = this.#file(session);
    writeFileSync(`${file}.tmp`, JSON.stringify(history));
    renameSync(`${file}.tmp`, file);
  }

  record(entry: PromptRecord): void {
    appendFileSync(this.#record, `${JSON.stringify(entry)}\n`);
  }

  /**
   * Counts another occurrence of the fault at `place`. One byte each, so that parallel processes share the
   * count.
   */
  strike(place: string): number {
    const file = join(
      this.folder,
      `strikes-${createHash('sha256').update(place).digest('hex').slice(0, 16)}`,
    );
    appendFileSync(file, '.');
    return statSync(file).size;
  }

  #file(session: string): string {
    return join(this.folder, `${session.replace(/[^\w-]/g, '_')}.json`);
  }
}
