import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import * as acp from '@agentclientprotocol/sdk';
import { callTool } from './mcp';
import type { Action } from './script';
import type { Stage } from './stage';
import { fill } from './template';

const OPTIONS: acp.PermissionOption[] = [
  { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
  { optionId: 'allow-always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
];

type ToolAction = Extract<
  Action,
  | { read: object }
  | { write: object }
  | { edit: object }
  | { run: object }
  | { ask: object }
  | { tool: object }
>;

/** A tool call before its execution. */
interface Call {
  readonly title: string;
  readonly kind: acp.ToolKind;
  readonly input: Record<string, unknown>;
  readonly locations?: acp.ToolCallLocation[];
  readonly diff?: acp.ToolCallContent;
  readonly ask: boolean;
  readonly if_rejected?: string | undefined;
  /** It is a command, and ends with an exit code. */
  readonly runs?: boolean;
  perform(): Promise<string>;
}

class CommandFailed extends Error {
  constructor(
    message: string,
    readonly exitCode: number | null,
  ) {
    super(message);
  }
}

/** Working tools: files and commands in the session's folder. */
export class Tools {
  constructor(private readonly stage: Stage) {}

  /** Null, or the script's text for a refusal. */
  async use(action: ToolAction): Promise<string | null> {
    const call = await this.#call(action);
    const toolCallId = `call-${randomUUID()}`;
    await this.#update({
      sessionUpdate: 'tool_call',
      toolCallId,
      title: call.title,
      kind: call.kind,
      status: 'pending',
      rawInput: call.input,
      ...(call.locations ? { locations: call.locations } : {}),
      ...(call.diff ? { content: [call.diff] } : {}),
    });
    const ask = call.ask || (this.stage.asks && past(action));
    if (ask && !(await this.#mayUse(call, toolCallId))) {
      await this.#status(toolCallId, 'failed', 'Not allowed.');
      return call.if_rejected ?? null;
    }
    await this.#status(toolCallId, 'in_progress');
    try {
      const output = await call.perform();
      const content: acp.ToolCallContent[] = call.diff ? [call.diff] : textContent(output);
      const rawOutput = call.runs === true ? { rawOutput: { exit_code: 0 } } : {};
      await this.#update({
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: 'completed',
        content,
        ...rawOutput,
      });
    } catch (error) {
      await this.#status(toolCallId, 'failed', error instanceof Error ? error : String(error));
    }
    return null;
  }

  async #call(action: ToolAction): Promise<Call> {
    if ('ask' in action) {
      const { title, kind, input, if_rejected } = action.ask;
      const perform = async () => 'Allowed.';
      return { title: this.#fill(title), kind: kind as acp.ToolKind, input, ask: true, if_rejected, perform };
    }
    if ('run' in action) return this.#runCall(action.run);
    if ('tool' in action) return this.#toolCall(action.tool);
    if ('read' in action) return this.#readCall(action.read);
    if ('write' in action) return this.#writeCall(action.write, this.#fill(action.write.content));
    const { find, replace } = action.edit;
    const before = await this.#read(this.#path(action.edit.path), action.edit.via).catch(() => '');
    return this.#writeCall(
      action.edit,
      before.replace(this.#fill(find), () => this.#fill(replace)),
      find,
    );
  }

  #toolCall({ name, server, input }: Extract<Action, { tool: object }>['tool']): Call {
    const { servers, signal } = this.stage;
    const filled = this.#fillAll(input) as Record<string, unknown>;
    const perform = async () => {
      const address = servers.find((one) => one.name === server);
      if (address === undefined) throw new Error(`There is no MCP server "${server}" here.`);
      return callTool(address, { name, input: filled, signal });
    };
    return { title: `${server}__${name}`, kind: 'other', input: filled, ask: false, perform };
  }

  #fillAll(value: unknown): unknown {
    if (typeof value === 'string') return this.#fill(value);
    if (Array.isArray(value)) return value.map((one) => this.#fillAll(one));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, this.#fillAll(one)]));
  }

  #readCall(read: Extract<Action, { read: object }>['read']): Call {
    const path = this.#path(read.path);
    return {
      ...read,
      title: `Read ${this.#fill(read.path)}`,
      kind: 'read',
      input: { path },
      locations: [{ path }],
      perform: () => this.#read(path, read.via),
    };
  }

  async #writeCall(
    write: { path: string; via: 'client' | 'direct'; ask: boolean; if_rejected?: string | undefined },
    content: string,
    find?: string,
  ): Promise<Call> {
    const path = this.#path(write.path);
    const before = await this.#read(path, write.via).catch(() => null);
    return {
      ...write,
      title: `${find === undefined ? 'Write' : 'Edit'} ${this.#fill(write.path)}`,
      kind: 'edit',
      input: { path, content },
      locations: [{ path }],
      diff: { type: 'diff', path, oldText: before, newText: content },
      perform: async () => {
        if (find !== undefined && !before?.includes(this.#fill(find)))
          throw new Error('The text to edit is not there.');
        await this.#write(path, content, write.via);
        return '';
      },
    };
  }

  #runCall(run: Extract<Action, { run: object }>['run']): Call {
    const command = this.#fill(run.command);
    return {
      ...run,
      title: `\`${command}\``,
      kind: 'execute',
      input: { command },
      runs: true,
      perform: () => (run.via === 'terminal' ? this.#runInTerminal(command) : this.#runDirect(command)),
    };
  }

  async #mayUse(call: Call, toolCallId: string): Promise<boolean> {
    const { allowed, client, sessionId, signal } = this.stage;
    const subject = `${call.kind} ${call.title}`;
    if (allowed.has(subject)) return true;
    const { outcome } = await client.request(acp.methods.client.session.requestPermission, {
      sessionId,
      options: OPTIONS,
      toolCall: {
        toolCallId,
        title: call.title,
        kind: call.kind,
        status: 'pending',
        rawInput: call.input,
        ...(call.locations ? { locations: call.locations } : {}),
        ...(call.diff ? { content: [call.diff] } : {}),
      },
    });
    if (outcome.outcome !== 'selected' || signal.aborted) return false;
    if (outcome.optionId === 'allow-always') allowed.add(subject);
    return outcome.optionId !== 'reject';
  }

  async #read(path: string, via: 'client' | 'direct'): Promise<string> {
    const { client, clientCapabilities, sessionId } = this.stage;
    if (via === 'direct' || !clientCapabilities.fs?.readTextFile) return readFile(path, 'utf8');
    return (await client.request(acp.methods.client.fs.readTextFile, { sessionId, path })).content;
  }

  async #write(path: string, content: string, via: 'client' | 'direct'): Promise<void> {
    const { client, clientCapabilities, sessionId } = this.stage;
    if (via === 'client' && clientCapabilities.fs?.writeTextFile) {
      await client.request(acp.methods.client.fs.writeTextFile, { sessionId, path, content });
      return;
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  #runDirect(command: string): Promise<string> {
    return new Promise((done, reject) => {
      // In its own process group, so that a cancellation ends the command and not only its shell.
      const detached = process.platform !== 'win32';
      const stdio: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe'];
      const child = spawn(command, { shell: true, cwd: this.stage.cwd, stdio, detached });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString('utf8');
        });
      }
      const stop = () => (detached && child.pid ? process.kill(-child.pid) : child.kill());
      this.stage.signal.addEventListener('abort', stop, { once: true });
      child.once('error', reject);
      child.once('close', (code, signal) => {
        this.stage.signal.removeEventListener('abort', stop);
        if (code === 0) done(output);
        else reject(new CommandFailed(`${output}\n(${signal ?? `exit code ${code}`})`.trim(), code));
      });
    });
  }

  async #runInTerminal(command: string): Promise<string> {
    const { client, cwd, sessionId } = this.stage;
    const terminal = await client.createTerminal({ sessionId, command, cwd });
    try {
      const exit = await terminal.waitForExit();
      const { output } = await terminal.currentOutput();
      if (exit.exitCode !== 0)
        throw new CommandFailed(
          `${output}\n(exit code ${exit.exitCode ?? exit.signal})`.trim(),
          exit.exitCode ?? null,
        );
      return output;
    } finally {
      await terminal.release();
    }
  }

  #fill(template: string): string {
    return fill(template, this.stage.values);
  }

  #path(template: string): string {
    return resolve(this.stage.cwd, this.#fill(template));
  }

  #status(toolCallId: string, status: acp.ToolCallStatus, said: string | Error = ''): Promise<void> {
    const content = textContent(typeof said === 'string' ? said : said.message);
    return this.#update({
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status,
      ...(content.length > 0 ? { content } : {}),
      ...(said instanceof CommandFailed ? { rawOutput: { exit_code: said.exitCode } } : {}),
    });
  }

  #update(update: acp.SessionUpdate): Promise<void> {
    const { client, sessionId } = this.stage;
    return client.notify(acp.methods.client.session.update, { sessionId, update });
  }
}

/** Actions invisible to the client, which itself asks about the others. */
function past(action: ToolAction): boolean {
  const deed =
    'write' in action ? action.write : 'edit' in action ? action.edit : 'run' in action ? action.run : null;
  return deed?.via === 'direct';
}

function textContent(text: string): acp.ToolCallContent[] {
  return text === '' ? [] : [{ type: 'content', content: { type: 'text', text } }];
}
