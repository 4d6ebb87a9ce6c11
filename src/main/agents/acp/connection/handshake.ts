import { RequestError } from '@agentclientprotocol/sdk';
import type { Capabilities } from '@areas/sessions/contract/session';
import type { SessionReady, SessionSpec } from '../../../core/ports/ports';
import type { AcpLaunch } from '../../../core/ports/programs/acp';
import { wordsOf } from '../failure';
import type { Connection } from './connection';
import {
  anyReplySchema,
  type InitializeReply,
  initializeReplySchema,
  loadSessionReplySchema,
  newSessionReplySchema,
  type SessionSettings,
} from './wire';

const PROTOCOL_VERSION = 1;

/** The agent cannot be used as the profile requires; the message says why. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

export interface Greeting {
  readonly capabilities: Capabilities;
  readonly agent: string | null;
  /** The login command, if the agent reported one. */
  readonly login: string | null;
  readonly canLoad: boolean;
  readonly canResume: boolean;
  /** A session may have additional working folders. */
  readonly moreFolders: boolean;
  /** It supports MCP servers over HTTP. */
  readonly mcpOverHttp: boolean;
  /** It continues by itself after a refusal, without an explanation. */
  readonly continuesAfterRefusal: boolean;
}

/** What Muster offers to the agent. */
interface Offer {
  readonly files: boolean;
  readonly mayWrite: boolean;
}

export async function greet(
  connection: Connection,
  launch: AcpLaunch,
  { files, mayWrite }: Offer,
): Promise<Greeting> {
  const reply = await connection.request(
    'initialize',
    {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'muster', title: 'Muster', version: '1' },
      clientCapabilities: {
        fs: { readTextFile: files, writeTextFile: files && mayWrite },
        terminal: mayWrite,
        // Only so that the agent reports how to log in; the operator does it.
        auth: { terminal: true },
        // Otherwise an agent puts its warnings into its answer.
        session: { notices: {} },
        // An extension of several agents: raw output and exit status of their own commands.
        _meta: { terminal_output: true, terminal_output_delta: true },
      },
    },
    initializeReplySchema,
  );
  if (reply.protocolVersion !== PROTOCOL_VERSION) {
    throw new Unusable(
      `speaks version ${reply.protocolVersion} of the protocol, Muster speaks ${PROTOCOL_VERSION}`,
    );
  }
  const { agentCapabilities, agentInfo } = reply;
  const canLoad = agentCapabilities.loadSession === true;
  const canResume = agentCapabilities.sessionCapabilities?.resume != null;
  return {
    capabilities: {
      resume: canLoad || canResume,
      cancel: true,
      permissions: true,
      images: agentCapabilities.promptCapabilities?.image === true,
      embeddedFiles: agentCapabilities.promptCapabilities?.embeddedContext === true,
    },
    agent: agentInfo ? agentName(agentInfo) : null,
    login: loginCommand(reply, launch),
    canLoad,
    canResume,
    moreFolders: agentCapabilities.sessionCapabilities?.additionalDirectories != null,
    mcpOverHttp: agentCapabilities.mcpCapabilities?.http === true,
    continuesAfterRefusal: agentCapabilities._meta?.muster?.goesOnAfterRefusal === true,
  };
}

function loginCommand(reply: InitializeReply, launch: AcpLaunch): string | null {
  if (launch.loginCommand) return launch.loginCommand;
  const method = reply.authMethods.find((one) => one.type === 'terminal');
  return method ? [launch.command, ...(method.args ?? [])].join(' ') : null;
}

/** An adapter reports its own version under the name of the agent that it starts. */
function agentName({ name, title, version }: NonNullable<InitializeReply['agentInfo']>): string {
  const own = title || name;
  return name.endsWith('-acp') ? `${own} (adapter ${version})` : `${own} ${version}`.trim();
}

interface Conversation {
  readonly sessionId: string;
  readonly fresh: boolean;
  readonly notices: readonly string[];
  readonly settings: SessionSettings;
}

interface HandshakeOptions {
  readonly spec: SessionSpec;
  readonly launch: AcpLaunch;
  /** Additional folders that it writes. */
  readonly folders: readonly string[];
  /** Absolute paths of the servers' commands. */
  readonly mcpServers: readonly object[];
  /** Called before any request contains the id, so that no update is missed. */
  attach(sessionId: string): void;
}

/**
 * Resumes the earlier conversation if there is one and the agent supports it; else starts a new one and says
 * so.
 */
export async function converse(
  connection: Connection,
  greeting: Greeting,
  wanted: HandshakeOptions,
): Promise<Conversation> {
  const { spec } = wanted;
  const setting = settingOf(greeting, wanted);
  const earlier = spec.resume ? await takeUp(connection, greeting, wanted) : null;
  if (earlier !== null && typeof earlier !== 'string') return earlier;
  const reply = await connection.request('session/new', setting, newSessionReplySchema);
  wanted.attach(reply.sessionId);
  return {
    sessionId: reply.sessionId,
    fresh: true,
    notices: earlier === null ? [] : [earlier],
    settings: reply,
  };
}

function settingOf({ moreFolders }: Greeting, { spec, mcpServers, folders }: HandshakeOptions): object {
  const more = moreFolders && folders.length > 0 ? { additionalDirectories: folders } : {};
  return { cwd: spec.cwd, mcpServers, ...more };
}

/** The conversation, or why the agent could not resume it. */
async function takeUp(
  connection: Connection,
  greeting: Greeting,
  wanted: HandshakeOptions,
): Promise<Conversation | string> {
  const { spec } = wanted;
  const sessionId = spec.resume?.providerSessionId ?? null;
  const begins = 'The agent starts a new conversation';
  if (sessionId === null) return `${begins}: it knows nothing of the earlier one.`;
  if (!greeting.canLoad && !greeting.canResume) return `${begins}: it cannot resume an earlier one.`;
  const method = greeting.canLoad ? 'session/load' : 'session/resume';
  wanted.attach(sessionId);
  try {
    const params = { sessionId, ...settingOf(greeting, wanted) };
    const settings = await connection.request(method, params, loadSessionReplySchema);
    return { sessionId, fresh: false, notices: [], settings };
  } catch (error) {
    if (!(error instanceof RequestError) || error.code === -32000) throw error;
    return `${begins}: the earlier one could not be loaded (${wordsOf(error)}).`;
  }
}

interface WantedSettings {
  readonly mode: string | null;
  /** The operator chose the mode, and is notified if the agent has none. */
  readonly named: boolean;
  readonly model: string | null;
}

/** Sets mode and model. A mode restricts the agent, so failing to set it is an error. */
export async function settle(
  connection: Connection,
  conversation: Conversation,
  wanted: WantedSettings,
): Promise<string[]> {
  const notices: string[] = [];
  const { mode, named } = wanted;
  if (mode !== null && (named || hasModes(conversation)))
    notices.push(...(await setMode(connection, conversation, mode)));
  if (wanted.model !== null) notices.push(...(await setModel(connection, conversation, wanted.model)));
  return notices;
}

const modeOption = ({ settings }: Conversation) =>
  settings.configOptions?.find((one) => one.category === 'mode');
const hasModes = (conversation: Conversation): boolean =>
  conversation.settings.modes != null || modeOption(conversation) !== undefined;

async function setMode(connection: Connection, conversation: Conversation, mode: string): Promise<string[]> {
  const { sessionId, settings } = conversation;
  const option = modeOption(conversation);
  if (!hasModes(conversation)) return [`The agent has no modes; ${mode} is ignored.`];
  if (settings.modes?.currentModeId === mode) return [];
  try {
    if (settings.modes)
      await connection.request('session/set_mode', { sessionId, modeId: mode }, anyReplySchema);
    else await setOption(connection, { sessionId, configId: option?.id ?? 'mode', value: mode });
    return [];
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const known = settings.modes?.availableModes.map((one) => one.id) ?? option?.options ?? [];
    throw new Unusable(`has no mode ${mode}; it has ${known.join(', ') || 'none'}`);
  }
}

async function setModel(
  connection: Connection,
  conversation: Conversation,
  model: string,
): Promise<string[]> {
  const { sessionId, settings } = conversation;
  const option = settings.configOptions?.find((one) => one.category === 'model' || one.id === 'model');
  if (settings.models?.currentModelId === model) return [];
  try {
    if (option) await setOption(connection, { sessionId, configId: option.id, value: model });
    else await connection.request('session/set_model', { sessionId, modelId: model }, anyReplySchema);
    return [];
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const known = option?.options ?? settings.models?.availableModels.map((one) => one.modelId) ?? [];
    const choice = known.length > 0 ? `; it offers ${known.slice(0, 12).join(', ')}` : '';
    return [`The model ${model} could not be set${choice}. The agent uses its own.`];
  }
}

function setOption(
  connection: Connection,
  option: { readonly sessionId: string; readonly configId: string; readonly value: string },
): Promise<unknown> {
  return connection.request('session/set_config_option', option, anyReplySchema);
}

export function readyOf(
  greeting: Greeting,
  conversation: Conversation,
  opening: { readonly agent: string; readonly notices: readonly string[] },
): SessionReady {
  const notices = [...conversation.notices, ...opening.notices];
  return {
    providerSessionId: conversation.sessionId,
    agent: opening.agent,
    capabilities: greeting.capabilities,
    fresh: conversation.fresh,
    notice: notices.length > 0 ? notices.join('\n') : null,
  };
}
