import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptTerminal } from '@areas/terminals/contract/host';
import { messageOf } from '@contract/error-message';
import { err, fail, ok, type Result } from '@contract/result';
import type {
  InteractiveListener,
  InteractivePort,
  InteractiveSpec,
  InteractiveTerminal,
  KeptProgram,
  ProgramFiles,
} from '../../../core/ports/programs/interactive';
import { HOST_GREETS_MS, HOST_RESTARTS_MS, UNCLAIMED_GRACE_MS } from '../../../limits/core';
import type { PtyClient } from '../client';
import { outputEnd } from '../output-reader';
import { beginProgram, NOTE, takeUpProgram } from './interactive-program';

export interface InteractiveTerminalsOptions {
  readonly client: PtyClient;
  readonly environment: (owner: string) => Promise<Readonly<Record<string, string>>>;
}
const OURS = 'cli-';

/**
 * Programs that need their own terminal: both the operator and Muster can type into them. They survive their
 * core if the terminal process does.
 */
export class InteractiveTerminals implements InteractivePort {
  /** Random, because an earlier core's programs have names too. */
  readonly #ours = `${OURS}${randomBytes(4).toString('hex')}`;
  #count = 0;

  constructor(private readonly options: InteractiveTerminalsOptions) {}

  async open(spec: InteractiveSpec, listener: InteractiveListener): Promise<Result<InteractiveTerminal>> {
    const { client, environment } = this.options;
    if (!(await client.connected(HOST_RESTARTS_MS))) {
      const mend = 'Wait until it has restarted, or restart Muster.';
      return fail('unavailable', 'The terminal host is not running.', { mend });
    }
    // Two programs in one output file would mix their screens, and the earlier one may still hold its
    // conversation.
    await (await this.find(spec))?.end();
    try {
      await prepare(spec);
    } catch (cause) {
      const why = messageOf(cause);
      return fail('agent.start_failed', `The session's folder could not be made: ${why}`);
    }
    this.#count += 1;
    const env = {
      ...(await environment(spec.owner)),
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      ...spec.env,
    };
    const id = `${this.#ours}-${this.#count}`;
    const start = outputEnd(spec.outputPath);
    const program = beginProgram({ client, id, spec, env, start }, listener);
    const refused = await program.started;
    return refused ? err({ ...refused, code: 'agent.start_failed' }) : ok(program);
  }

  async find(files: ProgramFiles): Promise<KeptProgram | null> {
    const { client } = this.options;
    if (!(await client.greeted(HOST_GREETS_MS))) return null;
    const isIts = ({ id, outputPath }: KeptTerminal): boolean =>
      id.startsWith(OURS) && outputPath === files.outputPath;
    // The last one: an earlier one's end may not have been acknowledged yet.
    const terminal = client.kept().findLast(isIts);
    if (terminal === undefined) return null;
    return {
      note: await readFile(join(files.folder, NOTE), 'utf8').catch(() => null),
      printed: terminal.bytes,
      ending: terminal.killed,
      take: (listener, from) => takeUpProgram({ client, kept: terminal, files, from }, listener),
      end: () => endKept(client, terminal.id),
    };
  }
}

async function prepare(spec: InteractiveSpec): Promise<void> {
  await mkdir(spec.folder, { recursive: true, mode: 0o700 });
  await chmod(spec.folder, 0o700);
  // It belongs to the program before this one.
  await rm(join(spec.folder, NOTE), { force: true });
  for (const { name, text } of spec.files) {
    await writeFile(join(spec.folder, name), text, { mode: 0o700 });
  }
  await writeFile(join(spec.folder, spec.inbox), '', { mode: 0o600 });
}

function endKept(client: PtyClient, id: string): Promise<void> {
  return new Promise((resolve) => {
    const ended = (): void => {
      handle?.taken();
      resolve();
    };
    const handle = client.reattach(id, { ended });
    if (handle === null) resolve();
    else handle.kill(UNCLAIMED_GRACE_MS);
  });
}
