import * as acp from '@agentclientprotocol/sdk';
import type { z } from 'zod';
import type { ManagedProcess } from '../../../core/ports/programs/process';
import type { Transport } from './transport';

/** Muster's services for an agent. The SDK has validated the parameters. */
export interface ClientSide {
  permission(params: acp.RequestPermissionRequest): Promise<acp.RequestPermissionResponse>;
  readTextFile(params: acp.ReadTextFileRequest): Promise<acp.ReadTextFileResponse>;
  writeTextFile(params: acp.WriteTextFileRequest): Promise<acp.WriteTextFileResponse>;
  createTerminal(params: acp.CreateTerminalRequest): Promise<acp.CreateTerminalResponse>;
  terminalOutput(params: acp.TerminalOutputRequest): Promise<acp.TerminalOutputResponse>;
  waitForTerminalExit(params: acp.WaitForTerminalExitRequest): Promise<acp.WaitForTerminalExitResponse>;
  killTerminal(params: acp.KillTerminalRequest): Promise<acp.KillTerminalResponse>;
  releaseTerminal(params: acp.ReleaseTerminalRequest): Promise<acp.ReleaseTerminalResponse>;
}

/** A reply that violates the protocol's schema. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
}

/** The process has ended, so no reply will come. */
export class ConnectionClosed extends Error {
  override readonly name = 'ConnectionClosed';
}

/** One agent process and its protocol connection. */
export class Connection {
  readonly process: ManagedProcess;
  readonly #connection: acp.ClientConnection;

  constructor(process: ManagedProcess, transport: Transport, client: ClientSide) {
    this.process = process;
    this.#connection = app(client).connect(transport.stream(process));
    void process.exited.then(() => transport.close());
  }

  async request<T extends z.ZodType>(method: string, params: unknown, reply: T): Promise<z.output<T>> {
    let raw: unknown;
    try {
      raw = await this.#connection.agent.request<unknown>(method, params);
    } catch (error) {
      if (this.#connection.signal.aborted) throw new ConnectionClosed(`no reply to ${method}`);
      throw error;
    }
    const parsed = reply.safeParse(raw);
    if (parsed.success) return parsed.data;
    const issue = parsed.error.issues[0];
    throw new ReplyError(`the reply to ${method} is malformed: ${issue?.path.join('.')}: ${issue?.message}`);
  }

  /** Ignores that the process may be gone: its end is reported elsewhere. */
  async notify(method: string, params: unknown): Promise<void> {
    try {
      await this.#connection.agent.notify(method, params);
    } catch {
      // See above.
    }
  }
}

function app(client: ClientSide): acp.ClientApp {
  const { session, fs, terminal } = acp.methods.client;
  return acp
    .client({ name: 'muster' })
    .onRequest(session.requestPermission, ({ params }) => client.permission(params))
    .onRequest(fs.readTextFile, ({ params }) => client.readTextFile(params))
    .onRequest(fs.writeTextFile, ({ params }) => client.writeTextFile(params))
    .onRequest(terminal.create, ({ params }) => client.createTerminal(params))
    .onRequest(terminal.output, ({ params }) => client.terminalOutput(params))
    .onRequest(terminal.waitForExit, ({ params }) => client.waitForTerminalExit(params))
    .onRequest(terminal.kill, ({ params }) => client.killTerminal(params))
    .onRequest(terminal.release, ({ params }) => client.releaseTerminal(params));
}
