import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codex, type StagedAgent } from './agents';

/**
 * Claude Code as a person uses it. The questions of its first start are answered in the settings of the
 * test's own home.
 */
const claudeTerminal: StagedAgent = {
  id: 'claude-cli',
  secrets: ['ANTHROPIC_API_KEY'],
  profile: { trust_workspace: true },
  mode: (asks) => (asks ? 'manual' : 'acceptEdits'),
  prepare({ home, origin }) {
    const settings = {
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: ['key-for-loopback'], rejected: [] },
    };
    writeFileSync(join(home, '.claude.json'), JSON.stringify(settings));
    return {
      ANTHROPIC_BASE_URL: origin,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: '1',
    };
  },
};

const codexTerminal: StagedAgent = {
  id: 'codex-cli',
  secrets: codex.secrets,
  profile: { trust_workspace: true },
  // Its sandbox does not start in every container. If it must ask, the mode chosen by Muster is tested.
  mode: (asks) => (asks ? null : 'danger-full-access'),
  prepare: (place, asks) => codex.prepare(place, asks),
  ...(codex.coach ? { coach: codex.coach } : {}),
};

export const terminalAgents: readonly StagedAgent[] = [claudeTerminal, codexTerminal];
