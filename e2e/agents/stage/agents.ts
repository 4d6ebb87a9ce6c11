import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelServer } from '../../fixtures/model-server';

export interface Place {
  /** The agent's home folder, its own for each test. */
  readonly home: string;
  /** The folder of its programs. */
  readonly programs: string;
  /** The model server's address without a path. */
  readonly origin: string;
}

/** The features of the protocol that an agent uses and reports; checked by `facts.test.ts`. */
export interface Facts {
  /**
   * Methods of the client that it called to write a file and to run a command, each after permission was
   * given.
   */
  readonly clientMethods: readonly string[];
  readonly loads: boolean;
  /** Reported tokens of a turn with two requests of 120 each. */
  readonly tokens: number | null;
  readonly tellsCost: boolean;
  /** The API that it uses with the model server. */
  readonly api: 'chat' | 'responses' | 'messages' | 'gemini';
}

/** An agent that a stage can start. */
export interface StagedAgent {
  /** As in Muster's presets; it is found on PATH by this id. */
  readonly id: string;
  /** Environment variables with keys: Muster fills them from its own environment. */
  readonly secrets: readonly string[];
  /** Writes its settings and returns its environment. `asks`: it must ask before it writes. */
  prepare(place: Place, asks: boolean): Readonly<Record<string, string>>;
  /** The mode of a session, if it differs from the preset's. */
  mode(asks: boolean): string | null;
  /** Makes the model ask for permission, if the agent leaves that to the model. */
  coach?(models: ModelServer): void;
  /**
   * It names the file of a conversation by the minute, and corrupts it when it loads it within that minute: a
   * restart waits for the next minute.
   */
  readonly filesByMinute?: boolean;
  /** A conversation that it loads lacks an unanswered prompt. */
  readonly dropsUnanswered?: boolean;
  /** Over ACP it reports neither the output of a command nor its result. */
  readonly silentCommands?: boolean;
  /** Over ACP the beginning of a command's output can be missing. */
  readonly partialOutput?: boolean;
  /** Further settings of its profile. */
  readonly profile?: Readonly<Record<string, unknown>>;
}

export interface RealAgent extends StagedAgent {
  readonly id: 'opencode' | 'codex' | 'claude' | 'gemini' | 'qwen';
  readonly facts: Facts;
}

export const opencode: RealAgent = {
  id: 'opencode',
  secrets: ['MODEL_KEY'],
  facts: {
    clientMethods: ['fs/write_text_file'],
    loads: true,
    tokens: 120,
    tellsCost: true,
    api: 'chat',
  },
  mode: () => null,
  prepare({ home, origin }, asks) {
    const file = join(home, 'opencode.json');
    const options = { baseURL: `${origin}/v1`, apiKey: '{env:MODEL_KEY}' };
    const scripted = { name: 'scripted', limit: { context: 128_000, output: 8192 } };
    const settings = {
      model: 'local/scripted',
      small_model: 'local/scripted',
      autoupdate: false,
      share: 'disabled',
      provider: { local: { npm: '@ai-sdk/openai-compatible', options, models: { scripted } } },
      permission: { edit: asks ? 'ask' : 'allow', bash: 'allow', 'muster_*': asks ? 'ask' : 'allow' },
    };
    writeFileSync(file, JSON.stringify(settings));
    return { OPENCODE_CONFIG: file, OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
  },
};

export const codex: RealAgent = {
  id: 'codex',
  secrets: ['MODEL_KEY'],
  partialOutput: true,
  facts: { clientMethods: [], loads: true, tokens: 240, tellsCost: false, api: 'responses' },
  // Its sandbox does not start in every container. If it must ask, the mode chosen by Muster is tested.
  mode: (asks) => (asks ? null : 'agent-full-access'),
  prepare({ home, origin }) {
    const settings = [
      'model = "scripted"',
      'model_provider = "local"',
      'approval_policy = "on-request"',
      '[model_providers.local]',
      'name = "local"',
      `base_url = "${origin}/v1"`,
      'wire_api = "responses"',
      'env_key = "MODEL_KEY"',
      'requires_openai_auth = false',
    ];
    writeFileSync(join(home, 'config.toml'), settings.join('\n'));
    return { CODEX_HOME: home, NO_BROWSER: '1' };
  },
  coach(models) {
    models.script({
      when: ({ prompt, results, tools }) =>
        prompt.includes('FILE=') && results.length === 0 && tools.length > 0,
      answer({ tools }) {
        const tool = tools.find(({ name }) => name === 'exec_command');
        if (!tool) throw new Error(`Codex has no exec_command, but ${tools.map(({ name }) => name).join()}`);
        const input = {
          cmd: 'echo made > notes.txt',
          sandbox_permissions: 'require_escalated',
          justification: 'to write the notes',
        };
        return { text: 'I will use a tool.', call: { tool, input } };
      },
    });
  },
};

const claude: RealAgent = {
  id: 'claude',
  secrets: ['ANTHROPIC_API_KEY'],
  facts: { clientMethods: [], loads: true, tokens: 240, tellsCost: true, api: 'messages' },
  mode: (asks) => (asks ? 'default' : 'acceptEdits'),
  prepare: ({ origin, programs }) => ({
    ANTHROPIC_BASE_URL: origin,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '1',
    // Its model must search for tools of MCP servers; by default this works only with its maker's own API.
    ENABLE_TOOL_SEARCH: 'true',
    CLAUDE_CODE_EXECUTABLE: join(programs, 'claude'),
  }),
};

const gemini: RealAgent = {
  id: 'gemini',
  secrets: ['GEMINI_API_KEY'],
  facts: { clientMethods: [], loads: true, tokens: 240, tellsCost: false, api: 'gemini' },
  filesByMinute: true,
  dropsUnanswered: true,
  silentCommands: true,
  profile: { model: 'gemini-2.5-flash' },
  mode: (asks) => (asks ? null : 'yolo'),
  prepare({ home, origin }) {
    const settings = {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
    };
    writeSettings(home, '.gemini', settings);
    return { GEMINI_CLI_TRUST_WORKSPACE: 'true', GOOGLE_GEMINI_BASE_URL: origin };
  },
};

const qwen: RealAgent = {
  id: 'qwen',
  secrets: ['OPENAI_API_KEY'],
  facts: {
    clientMethods: ['fs/write_text_file'],
    loads: true,
    tokens: 240,
    tellsCost: false,
    api: 'chat',
  },
  mode: (asks) => (asks ? null : 'yolo'),
  prepare({ home, origin }) {
    const settings = {
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      // Its additional requests to the model, with tools and after the answer.
      memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
      ui: { enableFollowupSuggestions: false },
    };
    writeSettings(home, '.qwen', settings);
    return { OPENAI_BASE_URL: `${origin}/v1`, OPENAI_MODEL: 'scripted' };
  },
};

function writeSettings(home: string, folder: string, settings: object): void {
  mkdirSync(join(home, folder));
  writeFileSync(join(home, folder, 'settings.json'), JSON.stringify(settings));
}

export const realAgents: readonly RealAgent[] = [opencode, codex, claude, gemini, qwen];
