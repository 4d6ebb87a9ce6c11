import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { CoreProcedureName, ProcedureInput, ProcedureOutput, RpcReply } from '@contract/ipc';
import type { CoreInit } from '@contract/system/host';
import type { FromCore } from './wire';

interface Waiting {
  readonly name: CoreProcedureName;
  readonly since: number;
  readonly settle: (reply: RpcReply) => void;
}

export interface CoreListener {
  committed(message: Extract<FromCore, { kind: 'committed' }>): void;
  opened(gates: ProcedureOutput<'gate.list'>): void;
  ready(): void;
}

function valueIn(reply: RpcReply): unknown {
  if (!reply.ok) throw new Error(`${reply.error.code}: ${reply.error.message}`);
  return reply.value;
}

/** One life of the core, seen from outside. */
export class CoreProcess {
  /** Resolves when the process is gone and all that it had said was heard. */
  readonly gone: Promise<{ code: number | null; stderr: string }>;
  alive = true;
  private readonly child: ChildProcess;
  private readonly waiting = new Map<number, Waiting>();
  private calls = 0;

  constructor(
    file: string,
    init: CoreInit,
    { terminals, ...listener }: CoreListener & { readonly terminals?: string },
  ) {
    const env = { ...process.env, ...(terminals && { MUSTER_DURABILITY_TERMINALS: terminals }) };
    const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'pipe'], env });
    this.child = child;
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const heard = createInterface({ input: child.stdout });
    heard.on('line', (line) => this.hear(line, listener));
    // What is said to a process that was just killed is lost, as it must be.
    child.stdin.on('error', () => undefined);
    child.stdin.write(`${JSON.stringify(init)}\n`);
    const silent = new Promise<void>((resolve) => heard.once('close', resolve));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    this.gone = Promise.all([ended, silent]).then(([code]) => ({ code, stderr }));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** The reply's value; never resolves where the core died before it answered. */
  call<N extends CoreProcedureName>(name: N, input: ProcedureInput<N>): Promise<ProcedureOutput<N>> {
    this.calls += 1;
    const id = this.calls;
    return new Promise((resolve, reject) => {
      const settle = (reply: RpcReply): void => {
        try {
          resolve(valueIn(reply) as ProcedureOutput<N>);
        } catch (error) {
          reject(error);
        }
      };
      this.waiting.set(id, { name, since: performance.now(), settle });
      this.child.stdin?.write(`${JSON.stringify({ kind: 'rpc', id, name, input })}\n`);
    });
  }

  /** What was asked longer ago than `ms` and has no answer. */
  unanswered(ms: number): string[] {
    const before = performance.now() - ms;
    return [...this.waiting.values()].filter(({ since }) => since < before).map(({ name }) => name);
  }

  /** It has not ended by itself. */
  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  kill(): void {
    this.alive = false;
    this.child.kill('SIGKILL');
  }

  /** Asks it to lay everything down. */
  end(): void {
    this.child.stdin?.end();
  }

  private hear(line: string, listener: CoreListener): void {
    let message: FromCore;
    try {
      message = JSON.parse(line) as FromCore;
    } catch {
      // The half line of a process that was killed while it wrote acknowledges nothing.
      return;
    }
    switch (message.kind) {
      case 'committed':
        return listener.committed(message);
      case 'opened':
        return listener.opened(valueIn(message.gates) as ProcedureOutput<'gate.list'>);
      case 'ready':
        return listener.ready();
      case 'reply': {
        const call = this.waiting.get(message.id);
        this.waiting.delete(message.id);
        return call?.settle(message.reply);
      }
    }
  }
}
