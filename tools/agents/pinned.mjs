/** The tested versions of the agents, as in the package.json that installs them. */
export const pinned = {
  private: true,
  description: 'The agents of npm run test:agents, put here by Muster. Safe to delete.',
  dependencies: {
    '@agentclientprotocol/claude-agent-acp': '0.100.0',
    '@agentclientprotocol/codex-acp': '2.6.0',
    '@anthropic-ai/claude-code': '2.1.328',
    '@google/gemini-cli': '0.61.0',
    '@openai/codex': '0.169.0',
    '@qwen-code/qwen-code': '0.24.4',
    'opencode-ai': '1.18.33',
  },
  // Otherwise the adapter installs an older Codex too, 400 MB.
  overrides: { '@agentclientprotocol/codex-acp': { '@openai/codex': '$@openai/codex' } },
  // These install the binary for this platform.
  allowScripts: { '@anthropic-ai/claude-code': true, 'opencode-ai': true },
};

const of = (name) => pinned.dependencies[name];

/** The programs, and the version that each must print for `--version`. */
export const programs = {
  claude: of('@anthropic-ai/claude-code'),
  'claude-agent-acp': of('@agentclientprotocol/claude-agent-acp'),
  codex: of('@openai/codex'),
  'codex-acp': of('@agentclientprotocol/codex-acp'),
  gemini: of('@google/gemini-cli'),
  opencode: of('opencode-ai'),
  qwen: of('@qwen-code/qwen-code'),
};
