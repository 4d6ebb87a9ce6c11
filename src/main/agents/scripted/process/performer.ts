import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import * as acp from '@agentclientprotocol/sdk';
import { HANG_MS } from '../../../limits/core';
import type { Action, Chosen, Reply, ScriptError } from './script';
import type { Stage } from './stage';
import { fill } from './template';
import { Tools } from './tools';

const FLOOD_PIECE = 16 * 1024;

/** The turn was cancelled. */
export class Cancelled extends Error {}

/** Plays one reply of the script. */
export class Performer {
  readonly #reply: Reply;
  readonly #signal: AbortSignal;
  readonly #tools: Tools;
  response = '';

  constructor(
    private readonly stage: Stage,
    private readonly chosen: Chosen,
  ) {
    this.#reply = chosen.reply;
    this.#signal = chosen.reply.ignore_cancel ? new AbortController().signal : stage.signal;
    this.#tools = new Tools({ ...stage, signal: this.#signal });
  }

  async play(): Promise<void> {
    const { think, plan, text } = this.#reply;
    if (think !== undefined) await this.#do({ think }, 'think');
    if (plan !== undefined) await this.#do({ plan }, 'plan');
    for (const [index, action] of this.#reply.do.entries()) {
      const rejected = await this.#do(action, `do[${index}]`);
      if (rejected !== null) return this.#stream('agent_message_chunk', rejected);
    }
    if (text !== undefined) await this.#stream('agent_message_chunk', text);
    if (this.#reply.error !== undefined) this.#fail(this.#reply.error);
  }

  /** The script's text for a refusal, if permission was refused; else null. */
  async #do(action: Action, place: string): Promise<string | null> {
    if (this.#signal.aborted) throw new Cancelled();
    if ('say' in action) await this.#stream('agent_message_chunk', action.say);
    else if ('think' in action) await this.#stream('agent_thought_chunk', action.think);
    else if ('plan' in action) await this.#update({ sessionUpdate: 'plan', entries: action.plan });
    else if ('wait_ms' in action) await this.#pause(action.wait_ms);
    else if ('wait_for_file' in action) await this.#waitForFile(action.wait_for_file);
    else if ('hang' in action || 'crash' in action || 'flood' in action || 'garbage' in action) {
      await this.#fault(action, place);
    } else return this.#tools.use(action);
    return null;
  }

  async #fault(
    action: Extract<Action, { hang: object } | { crash: object } | { flood: object } | { garbage: object }>,
    place: string,
  ): Promise<void> {
    const [fault] = Object.values(action) as { times?: number }[];
    if (!this.#strikes(place, fault?.times)) return;
    if ('hang' in action) await this.#hang();
    else if ('crash' in action) crash(action.crash);
    else if ('flood' in action) await this.#flood(action.flood.mb);
    else await writeGarbage(action.garbage, this.stage.sessionId);
  }

  #strikes(place: string, times: number | undefined): boolean {
    const { cwd, state } = this.stage;
    return times === undefined || state.strike(`${cwd} ${this.chosen.place}.${place}`) <= times;
  }

  #fail(error: ScriptError): void {
    if (!this.#strikes('error', timesOf(error))) return;
    throw requestError(error);
  }

  async #stream(kind: 'agent_message_chunk' | 'agent_thought_chunk', template: string): Promise<void> {
    const { chunk, delay_ms } = this.#reply.stream ?? { chunk: 48, delay_ms: 0 };
    const characters = [...fill(template, this.stage.values)];
    for (let start = 0; start < characters.length; start += chunk) {
      if (this.#signal.aborted) throw new Cancelled();
      if (start > 0 && delay_ms > 0) await this.#pause(delay_ms);
      const text = characters.slice(start, start + chunk).join('');
      await this.#update({ sessionUpdate: kind, content: { type: 'text', text } });
      if (kind === 'agent_message_chunk') this.response += text;
    }
  }

  async #flood(megabytes: number): Promise<void> {
    const text = 'flood '.repeat(FLOOD_PIECE / 6);
    for (let sent = 0; sent < megabytes * 1024 * 1024; sent += text.length) {
      if (this.#signal.aborted) throw new Cancelled();
      await this.#update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    }
  }

  async #hang(): Promise<never> {
    const alive = setInterval(() => {}, HANG_MS);
    if (!this.#signal.aborted) await once(this.#signal, 'abort');
    clearInterval(alive);
    throw new Cancelled();
  }

  async #waitForFile(template: string): Promise<void> {
    const path = resolve(this.stage.cwd, fill(template, this.stage.values));
    while (!existsSync(path)) await this.#pause(20);
  }

  async #pause(ms: number): Promise<void> {
    await new Promise<void>((done, reject) => {
      const abort = () => {
        clearTimeout(timer);
        reject(new Cancelled());
      };
      const timer = setTimeout(() => {
        this.#signal.removeEventListener('abort', abort);
        done();
      }, ms);
      this.#signal.addEventListener('abort', abort, { once: true });
      if (this.#signal.aborted) abort();
    });
  }

  #update(update: acp.SessionUpdate): Promise<void> {
    const { client, sessionId } = this.stage;
    return client.notify(acp.methods.client.session.update, { sessionId, update });
  }
}

function timesOf(error: ScriptError): number | undefined {
  if (error === 'auth_required') return undefined;
  return 'auth_required' in error ? error.auth_required.times : error.times;
}

export function requestError(error: ScriptError): acp.RequestError {
  if (error === 'auth_required' || 'auth_required' in error) return acp.RequestError.authRequired();
  if ('message' in error) return new acp.RequestError(error.code, error.message);
  const { resets_at, resets_in_seconds } = error.limit;
  const wait = resets_in_seconds === undefined ? undefined : new Date(Date.now() + resets_in_seconds * 1000);
  const resetsAt = resets_at ?? wait?.toISOString();
  return new acp.RequestError(
    -32603,
    'Usage limit reached',
    resetsAt === undefined ? undefined : { resetsAt },
  );
}

function crash({ code, signal }: { code: number; signal?: string | undefined }): void {
  process.stderr.write('The script says that the agent crashes here.\n');
  if (signal !== undefined) process.kill(process.pid, signal as NodeJS.Signals);
  else process.exit(code);
}

/** Invalid lines, with typical errors of agents. */
function malformed(index: number, sessionId: string): string {
  const update = { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: 'no block' } };
  const kinds = [
    'Debug: this line should have gone to stderr',
    '{"jsonrpc":"2.0","method":"session/upda',
    '{"no":"message"}',
    JSON.stringify({ jsonrpc: '2.0', method: 'session/update', params: update }),
    JSON.stringify({ jsonrpc: '2.0', id: 987_654, result: {} }),
    '[]',
  ];
  return kinds[index % kinds.length] ?? '';
}

async function writeGarbage(
  garbage: { lines: number; bytes?: number | undefined },
  sessionId: string,
): Promise<void> {
  for (let index = 0; index < garbage.lines; index += 1) {
    const line = garbage.bytes === undefined ? malformed(index, sessionId) : 'x'.repeat(garbage.bytes);
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
  }
}
