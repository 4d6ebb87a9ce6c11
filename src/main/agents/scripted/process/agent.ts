import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import * as acp from '@agentclientprotocol/sdk';
import { z } from 'zod';
import { HANG_MS } from '../../../limits/core';
import { httpServers, type McpAddress } from './mcp';
import { Cancelled, Performer, requestError } from './performer';
import { chooseReply, type Reply, type Script } from './script';
import type { History, State } from './state';

interface LiveSession {
  readonly history: History;
  readonly allowed: Set<string>;
  turn: AbortController | null;
  readonly servers: readonly McpAddress[];
}

interface AgentParts {
  readonly script: Script;
  readonly state: State;
  /** It asks before everything that it writes or runs without the client, whatever the script says. */
  readonly asks: boolean;
}

/** The scripted agent on the protocol's side. */
export class ScriptedAgent {
  readonly #script: Script;
  readonly #state: State;
  readonly #asks: boolean;
  readonly #sessions = new Map<string, LiveSession>();
  #clientCapabilities: acp.ClientCapabilities = {};

  constructor(parts: AgentParts) {
    this.#script = parts.script;
    this.#state = parts.state;
    this.#asks = parts.asks;
  }

  initialize(params: acp.InitializeRequest): acp.InitializeResponse {
    this.#clientCapabilities = params.clientCapabilities ?? {};
    const { load, images, embedded } = this.#script.capabilities;
    return {
      protocolVersion: acp.PROTOCOL_VERSION,
      agentInfo: { name: 'scripted', title: 'Scripted agent', version: '1' },
      agentCapabilities: {
        loadSession: load,
        promptCapabilities: { image: images, embeddedContext: embedded },
        mcpCapabilities: { http: true },
        // Its script defines its behaviour after a refusal.
        _meta: { muster: { goesOnAfterRefusal: true } },
      },
    };
  }

  async open(params: acp.NewSessionRequest): Promise<acp.NewSessionResponse> {
    await this.#befall();
    const sessionId = `scripted-${randomUUID()}`;
    const history: History = { cwd: params.cwd, mode: null, model: null, costUsd: 0, turns: [] };
    const servers = httpServers(params.mcpServers);
    this.#sessions.set(sessionId, { history, allowed: new Set(), turn: null, servers });
    this.#state.save(sessionId, history);
    return { sessionId, ...this.#choices(history) };
  }

  async load(params: acp.LoadSessionRequest, client: acp.AgentContext): Promise<acp.LoadSessionResponse> {
    await this.#befall();
    const { sessionId } = params;
    const history = this.#state.load(sessionId);
    if (!this.#script.capabilities.load || history === null)
      throw acp.RequestError.sessionNotFound(sessionId);
    const servers = httpServers(params.mcpServers);
    this.#sessions.set(sessionId, { history, allowed: new Set(), turn: null, servers });
    const tell = (sessionUpdate: 'user_message_chunk' | 'agent_message_chunk', text: string) =>
      client.notify(acp.methods.client.session.update, {
        sessionId,
        update: { sessionUpdate, content: { type: 'text', text } },
      });
    for (const turn of history.turns) {
      await tell('user_message_chunk', turn.prompt);
      await tell('agent_message_chunk', turn.response);
    }
    return this.#choices(history);
  }

  set(sessionId: string, setting: { readonly mode?: string; readonly model?: string }): void {
    const { history } = this.#session(sessionId);
    history.mode = setting.mode ?? history.mode;
    history.model = setting.model ?? history.model;
    this.#state.save(sessionId, history);
  }

  setOption(params: acp.SetSessionConfigOptionRequest): acp.SetSessionConfigOptionResponse {
    this.set(params.sessionId, { model: String(params.value) });
    return { configOptions: this.#choices(this.#session(params.sessionId).history).configOptions ?? [] };
  }

  cancel(sessionId: string): void {
    this.#sessions.get(sessionId)?.turn?.abort();
  }

  async prompt(params: acp.PromptRequest, client: acp.AgentContext): Promise<acp.PromptResponse> {
    const { sessionId } = params;
    const session = this.#session(sessionId);
    const turn = new AbortController();
    session.turn = turn;
    const prompt = params.prompt.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    const number = session.history.turns.length + 1;
    const attachments = params.prompt.flatMap(attachment);
    this.#record(sessionId, { number, prompt, attachments });
    const chosen = chooseReply(this.#script, prompt, number);
    const values = {
      ...valuesOf(session.history, prompt),
      session: sessionId,
      attachments: namesOf(attachments),
    };
    const performer = new Performer(
      {
        client,
        sessionId,
        cwd: session.history.cwd,
        clientCapabilities: this.#clientCapabilities,
        state: this.#state,
        values: {
          ...values,
          ...Object.fromEntries(chosen.groups.map((group, index) => [String(index), group])),
        },
        signal: turn.signal,
        allowed: session.allowed,
        asks: this.#asks,
        servers: session.servers,
      },
      chosen,
    );
    let stopReason: acp.StopReason = chosen.reply.stop;
    try {
      await performer.play();
      if (turn.signal.aborted && !chosen.reply.ignore_cancel) stopReason = 'cancelled';
    } catch (error) {
      if (!(error instanceof Cancelled)) throw error;
      stopReason = 'cancelled';
    } finally {
      session.turn = null;
    }
    session.history.turns.push({ prompt, response: performer.response });
    const response = await this.#account(sessionId, chosen.reply, client);
    return { stopReason, ...response };
  }

  /** `usage` in a prompt's response is in the protocol's unstable part, so the stable type lacks it. */
  async #account(sessionId: string, reply: Reply, client: acp.AgentContext): Promise<object> {
    const { history } = this.#session(sessionId);
    const { usage } = reply;
    history.costUsd += usage?.cost_usd ?? 0;
    this.#state.save(sessionId, history);
    if (!usage) return {};
    const totalTokens = usage.input_tokens + usage.output_tokens;
    if (usage.cost_usd !== undefined) {
      const cost = { amount: history.costUsd, currency: 'USD' };
      await client.notify(acp.methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'usage_update', used: totalTokens, size: 200_000, cost },
      });
    }
    return { usage: { totalTokens, inputTokens: usage.input_tokens, outputTokens: usage.output_tokens } };
  }

  #record(session: string, turn: { number: number; prompt: string; attachments: Attached[] }): void {
    const { cwd, mode, model } = this.#session(session).history;
    this.#state.record({
      at: new Date().toISOString(),
      session,
      turn: turn.number,
      prompt: turn.prompt,
      attachments: turn.attachments,
      cwd,
      mode,
      model,
    });
  }

  async #befall(): Promise<void> {
    const { crash, delay_ms, error, hang } = this.#script.open;
    if (hang) await new Promise(() => setInterval(() => {}, HANG_MS));
    if (delay_ms > 0) await new Promise((resolve) => setTimeout(resolve, delay_ms));
    if (crash) {
      process.stderr.write(crash.stderr);
      process.exit(crash.code);
    }
    if (error !== undefined) throw requestError(error);
  }

  #choices(history: History): Pick<acp.NewSessionResponse, 'modes' | 'configOptions'> {
    const modes = this.#script.modes ?? ['default'];
    const models = this.#script.models ?? ['scripted'];
    return {
      modes: {
        currentModeId: history.mode ?? modes[0] ?? 'default',
        availableModes: modes.map((id) => ({ id, name: id })),
      },
      configOptions: [
        {
          id: 'model',
          name: 'Model',
          category: 'model',
          type: 'select',
          currentValue: history.model ?? models[0] ?? 'scripted',
          options: models.map((value) => ({ value, name: value })),
        },
      ],
    };
  }

  #session(sessionId: string): LiveSession {
    const session = this.#sessions.get(sessionId);
    if (!session) throw acp.RequestError.sessionNotFound(sessionId);
    return session;
  }
}

interface Attached {
  readonly type: string;
  readonly name: string;
}

function attachment(block: acp.ContentBlock): Attached[] {
  if (block.type === 'text') return [];
  if (block.type === 'resource_link') return [{ type: block.type, name: block.name }];
  const uri = block.type === 'resource' ? block.resource.uri : block.type === 'image' ? block.uri : null;
  return [{ type: block.type, name: uri ? decodeURIComponent(basename(uri)) : '' }];
}

const namesOf = (attachments: readonly Attached[]) => attachments.map((one) => one.name).join(', ');

function valuesOf(history: History, prompt: string): Record<string, string> {
  return {
    prompt,
    turn: String(history.turns.length + 1),
    previous: history.turns.at(-1)?.response ?? '',
    cwd: history.cwd,
    mode: history.mode ?? '',
    model: history.model ?? '',
  };
}

const setModelSchema = z.object({ sessionId: z.string(), modelId: z.string() });

/**
 * Registers the agent's handlers for the protocol. Without an agent (an invalid script) every request fails
 * with the reason.
 */
export function appOf(agent: ScriptedAgent | acp.RequestError): acp.AgentApp {
  const good = () => {
    if (agent instanceof acp.RequestError) throw agent;
    return agent;
  };
  const { agent: methods } = acp.methods;
  return acp
    .agent({ name: 'scripted' })
    .onRequest(methods.initialize, ({ params }) => good().initialize(params))
    .onRequest(methods.authenticate, () => ({}))
    .onRequest(methods.session.new, ({ params }) => good().open(params))
    .onRequest(methods.session.load, ({ params, client }) => good().load(params, client))
    .onRequest(methods.session.setMode, ({ params }) => {
      good().set(params.sessionId, { mode: params.modeId });
      return {};
    })
    .onRequest(methods.session.setConfigOption, ({ params }) => good().setOption(params))
    .onRequest('session/set_model', setModelSchema, ({ params }) => {
      good().set(params.sessionId, { model: params.modelId });
      return {};
    })
    .onRequest(methods.session.prompt, ({ params, client }) => good().prompt(params, client))
    .onNotification(methods.session.cancel, ({ params }) => good().cancel(params.sessionId));
}
