import type { AgentLogin } from '@areas/agents/contract/login';

/** Where the logins of agents are, by the agent's maker. */
export const logins = {
  opencode: {
    folder: { variable: 'XDG_DATA_HOME', inHome: '.local/share' },
    files: ['opencode/auth.json'],
    variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'],
  },
  claude: {
    folder: { variable: 'CLAUDE_CONFIG_DIR', inHome: '.claude' },
    files: ['.credentials.json'],
    variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'],
  },
  codex: {
    folder: { variable: 'CODEX_HOME', inHome: '.codex' },
    files: ['auth.json'],
    variables: ['CODEX_API_KEY'],
  },
  gemini: {
    folder: { inHome: '.gemini' },
    files: ['oauth_creds.json'],
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
  qwen: {
    folder: { inHome: '.qwen' },
    files: ['oauth_creds.json'],
    variables: ['DASHSCOPE_API_KEY', 'OPENAI_API_KEY'],
  },
  goose: {
    folder: { variable: 'XDG_CONFIG_HOME', inHome: '.config' },
    files: ['goose/config.yaml'],
    variables: ['GOOSE_PROVIDER'],
  },
  copilot: { variables: ['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN'] },
  kimi: {
    folder: { inHome: '.kimi' },
    files: ['credentials/kimi-code.json'],
    variables: ['KIMI_API_KEY'],
  },
  vibe: {
    folder: { variable: 'VIBE_HOME', inHome: '.vibe' },
    files: ['.env'],
    variables: ['MISTRAL_API_KEY'],
  },
  auggie: {
    folder: { inHome: '.augment' },
    files: ['session.json'],
    variables: ['AUGMENT_SESSION_AUTH', 'AUGMENT_API_TOKEN'],
  },
  aider: { variables: ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY'] },
} as const satisfies Readonly<Record<string, AgentLogin>>;

/** Only Codex itself has this command; its adapter has not. */
export const codexProgram: AgentLogin = { ...logins.codex, statusArgs: ['login', 'status'] };
