import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const entrySchema = z.object({
  pid: z.number().int().positive(),
  /** From the process table; empty if it could not be read. */
  start: z.string(),
  launch: z.string(),
  owner: z.string(),
});
export type RegistryEntry = z.infer<typeof entrySchema>;

const fileSchema = z.object({ instance: z.string(), boot: z.string(), processes: z.array(entrySchema) });
type RegistryFile = z.infer<typeof fileSchema>;

/** Identifies the machine's boot: process ids and start times start over. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

/** Living processes, on disk, for the next start of Muster. Small enough to be rewritten completely. */
export class ProcessRegistry {
  readonly #path: string;
  readonly #boot = bootId();
  readonly #entries = new Map<string, RegistryEntry>();

  constructor(
    dataDir: string,
    private readonly instance: string,
  ) {
    this.#path = join(dataDir, 'processes.json');
  }

  add(entry: RegistryEntry): void {
    this.#entries.set(entry.launch, entry);
    this.#write();
  }

  remove(launch: string): void {
    if (this.#entries.delete(launch)) this.#write();
  }

  /** What an earlier instance left and may still exist: nothing after a reboot. */
  leftovers(): readonly RegistryEntry[] {
    const file = this.#read();
    if (file === null || file.instance === this.instance || file.boot !== this.#boot) return [];
    return file.processes;
  }

  #read(): RegistryFile | null {
    try {
      const parsed = fileSchema.safeParse(JSON.parse(readFileSync(this.#path, 'utf8')));
      return parsed.success ? parsed.data : null;
    } catch {
      return null;
    }
  }

  #write(): void {
    const file: RegistryFile = {
      instance: this.instance,
      boot: this.#boot,
      processes: [...this.#entries.values()],
    };
    try {
      mkdirSync(join(this.#path, '..'), { recursive: true });
      writeFileSync(`${this.#path}.tmp`, JSON.stringify(file));
      renameSync(`${this.#path}.tmp`, this.#path);
    } catch {
      // A full disk must not stop the work: guards and marks find the processes without the file.
    }
  }
}
