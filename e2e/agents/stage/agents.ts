import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Place {
  /** The agent's home folder, its own for each test. */
  readonly home: string;
  /** Where its programs lie. */
  readonly programs: string;
  /** The model server's address without a path. */
  readonly origin: string;
}

export interface RealAgent {
  /** As in Muster's presets, by which it is found on PATH. */
  readonly id: 'opencode' | 'codex' | 'claude';
  /** Writes its settings and gives its environment. `asks`: it is to ask before it writes or runs anything. */
  prepare(place: Place, asks: boolean): Readonly<Record<string, string>>;
  /** Variables that hold a key: Muster fills them from its own environment. */
  readonly secrets: readonly string[];
  /** The mode of a session, where it differs from that of the preset. */
  mode(asks: boolean): string | null;
}

const opencode: RealAgent = {
  id: 'opencode',
  secrets: ['MODEL_KEY'],
  mode: () => null,
  prepare({ home, origin }, asks) {
    const file = join(home, 'opencode.json');
    const permission = asks ? 'ask' : 'allow';
    const model = { name: 'scripted', limit: { context: 128_000, output: 8192 } };
    const settings = {
      model: 'local/scripted',
      small_model: 'local/scripted',
      autoupdate: false,
      share: 'disabled',
      provider: {
        local: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${origin}/v1`, apiKey: '{env:MODEL_KEY}' },
          models: { scripted: model },
        },
      },
      permission: { edit: permission, bash: permission },
    };
    writeFileSync(file, JSON.stringify(settings));
    return { OPENCODE_CONFIG: file, OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' };
  },
};

const codex: RealAgent = {
  id: 'codex',
  secrets: ['MODEL_KEY'],
  // Its own sandbox does not start in every container; what it may do without a question is not the matter here.
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
};

const claude: RealAgent = {
  id: 'claude',
  secrets: ['ANTHROPIC_API_KEY'],
  mode: (asks) => (asks ? 'default' : 'acceptEdits'),
  prepare: ({ origin, programs }) => ({
    ANTHROPIC_BASE_URL: origin,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_EXECUTABLE: join(programs, 'claude'),
  }),
};

export const realAgents: readonly RealAgent[] = [opencode, codex, claude];
