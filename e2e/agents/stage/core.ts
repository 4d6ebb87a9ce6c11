import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CoreProcedureName, ProcedureInput, ProcedureOutput } from '@contract/ipc';
import { socketEndpointFile } from '@contract/system/host';
import { ask } from '../../../src/main/api/core-service';
import { type CoreClient, connectCore } from '../../../src/main/cli/link/client';

export interface CoreOptions {
  readonly dataDir: string;
  /** The complete environment: nothing comes from the tests' own. */
  readonly env: Readonly<Record<string, string>>;
}

/** Muster's core as a separate process (`muster serve`), reached through its local socket. */
export class RealCore {
  readonly #child: ChildProcess;
  readonly #client: CoreClient;

  private constructor(child: ChildProcess, client: CoreClient) {
    this.#child = child;
    this.#client = client;
  }

  static async start({ dataDir, env }: CoreOptions): Promise<RealCore> {
    const cli = process.env.MUSTER_AGENTS_CLI;
    if (cli === undefined) throw new Error('start the tests with: npm run test:agents');
    const child = spawn(process.execPath, [cli, 'serve', '--json', '--data-dir', dataDir], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    await new Promise<void>((serving, ended) => {
      createInterface(child.stdout).once('line', () => serving());
      child.once('exit', (code) => ended(new Error(`the core ended with ${code}: ${errors}`)));
    });
    const connected = await connectCore(join(dataDir, socketEndpointFile));
    if (!connected?.ok) throw new Error(`the core cannot be reached: ${connected?.error.message ?? errors}`);
    return new RealCore(child, connected.value);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  async call<N extends CoreProcedureName>(name: N, input: ProcedureInput<N>): Promise<ProcedureOutput<N>> {
    const reply = await ask(this.#client, name, input);
    if (!reply.ok) throw new Error(`${name}: ${reply.error.code}: ${reply.error.message}`);
    return reply.value;
  }

  /** Like a machine failure: without any chance to clean up. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(signal);
    await exited;
    await this.#client.close();
  }
}
