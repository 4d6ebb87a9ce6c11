/** The agents, exactly as they were tried. */
export const pinned = {
  private: true,
  description: 'The agents of npm run test:agents. Made by Muster, safe to delete.',
  dependencies: {
    '@agentclientprotocol/claude-agent-acp': '0.100.0',
    '@agentclientprotocol/codex-acp': '2.6.0',
    '@anthropic-ai/claude-code': '2.1.328',
    '@openai/codex': '0.169.0',
    'opencode-ai': '1.18.33',
  },
  // The adapter would bring a second Codex of its own, 400 MB of it.
  overrides: { '@agentclientprotocol/codex-acp': { '@openai/codex': '$@openai/codex' } },
  // Both put the binary for this platform into place.
  allowScripts: { '@anthropic-ai/claude-code': true, 'opencode-ai': true },
};

/** What each must answer `--version` with. codex-acp is left out: it takes the flag for nothing and waits. */
export const versions = {
  claude: pinned.dependencies['@anthropic-ai/claude-code'],
  'claude-agent-acp': pinned.dependencies['@agentclientprotocol/claude-agent-acp'],
  codex: pinned.dependencies['@openai/codex'],
  opencode: pinned.dependencies['opencode-ai'],
};
