import { join } from 'node:path';
import { terminalPresetOf } from '@areas/agents/contract/permission-capabilities';
import { type AgentProfileOf, type CliPresetId, CODEX_EXEC } from '@areas/agents/contract/profile';
import { chooseMode, type LaunchPolicy, type Modes } from '../../modes';
import { type OwnFolders, writableRoots } from '../../own-folders';
import { HELPER, helperScript, quoted } from './helper';
import { claudeModes, codexModes, geminiModes, qwenModes } from './modes';
import { type AgentSignal, readHook, readNotify, readPlain } from './signals';

/** The input for an agent's start command. */
export interface StartWish extends LaunchPolicy {
  readonly model: string | null;
  /** The agent must be told that the folder is trusted. */
  readonly trusted: boolean;
  readonly cwd: string;
  /** The project that the folder may be a worktree of. */
  readonly projectPath: string;
  readonly folders: OwnFolders | null;
  /** The session's folder for helpers, and the token that identifies this start. */
  readonly folder: string;
  readonly token: string;
  /** The agent's id of the conversation to resume. */
  readonly resume: string | null;
  /** An id for a new conversation, if the agent accepts one. */
  readonly freshId: string;
}

export interface StartPlan {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly files: readonly { readonly name: string; readonly text: string }[];
  /** The conversation's id, if known before the agent reports it. */
  readonly session: string | null;
}

/** The behaviour of a known agent in a terminal. */
export interface CliPreset {
  readonly id: CliPresetId;
  readonly name: string;
  readonly login: string | null;
  /** Its names for modes; null if it has none that Muster sets. */
  readonly modes: Modes | null;
  start(wish: StartWish): StartPlan;
  read(body: unknown): AgentSignal | null;
  /** It signals that it accepts prompts; else its screen is examined. */
  readonly tellsStart: boolean;
  /** It reports each accepted prompt, so an end before that belongs to an earlier turn. */
  readonly tellsPrompt: boolean;
  /** It reports the end of a turn; else screen and quiet time decide. */
  readonly tellsEnd: boolean;
  readonly resumes: boolean;
  /** Matches its screen at the prompt. */
  readonly prompt: RegExp | null;
  /** Matches a question on its screen that only the operator can answer. */
  readonly asks: RegExp | null;
  /** Matches its screen while it works. */
  readonly busy: RegExp | null;
  /** Matches its screen after an interrupted turn, or one that broke off without a signal. */
  readonly interrupted: RegExp | null;
  readonly trouble: RegExp | null;
  /** Matches its terminal notification that it waits for the operator. */
  readonly notifies: RegExp | null;
  /** It treats longer pastes as foreign text, so a prompt is pasted in pieces of this many characters. */
  readonly mostPasted: number | null;
  readonly keys: {
    readonly interrupt: string;
    /** Keys to press, one after the other, until it ends. */
    readonly leave: readonly string[];
    /** A line break that does not submit, for a prompt without bracketed paste. */
    readonly newline: string | null;
    /** Clears a line of its prompt, in which a cancelled turn may have left text. */
    readonly clear: string | null;
  };
}

const ESC = '\x1b';
const CTRL_C = '\x03';
const CTRL_D = '\x04';
/** Deletes to the start of the line, then the line break before it. */
const CLEAR = '\x15\x7f';

/** The variable with the helper's path, for an operator's own program to report a turn's end. */
const HELPER_VARIABLE = 'MUSTER_SIGNAL';

/** Dialogs at the start or later, whose wording is similar among programs. */
const ASKS =
  /do you trust|yes, i trust|trust this folder|enter to confirm|press enter to (continue|confirm)|do you want to use this api key|choose the text style|select login method|sign in with|how would you like to authenticate/i;

const helper = ({ folder, token }: StartWish) => ({ name: HELPER, text: helperScript(folder, token) });
const flag = (name: string, value: string | null): string[] => (value === null ? [] : [name, value]);

/**
 * The same program for each of these hook events. Without a timeout: some count it in seconds, some in
 * milliseconds.
 */
function hooks(wish: StartWish, events: readonly string[]): Record<string, unknown> {
  const command = quoted(join(wish.folder, HELPER));
  return Object.fromEntries(
    events.map((event) => [event, [{ matcher: '*', hooks: [{ type: 'command', command }] }]]),
  );
}

/** An absolute path in Claude Code's permission rules: `//tmp/x`, and `//c/x` for a drive. */
const ruled = (path: string): string =>
  `/${path.replace(/^([A-Za-z]):/, (_, drive: string) => `/${drive.toLowerCase()}`).replaceAll('\\', '/')}`;

const permissionsOf = ({ artifacts }: OwnFolders) => ({
  additionalDirectories: [artifacts],
  allow: [`Edit(${ruled(artifacts)}/**)`],
});

const HOOKS_OF_CLAUDE = [
  ...['SessionStart', 'UserPromptSubmit', 'Stop', 'StopFailure', 'Notification', 'PermissionRequest'],
  ...['PreToolUse', 'PostToolUse', 'PostToolUseFailure'],
];

/** Presets that set a mode always have one. */
const modeOf = (modes: Modes, wish: StartWish): string => chooseMode(modes, wish).mode ?? modes.reading[0];

const claude: CliPreset = {
  id: 'claude',
  name: 'Claude Code',
  login: 'claude auth login',
  modes: claudeModes,
  start(wish) {
    const { folders, freshId, model, resume, trusted } = wish;
    const settings = JSON.stringify({
      hooks: hooks(wish, HOOKS_OF_CLAUDE),
      ...(folders === null ? {} : { permissions: permissionsOf(folders) }),
    });
    const conversation = resume === null ? ['--session-id', freshId] : ['--resume', resume];
    return {
      args: [
        ...['--settings', settings, ...conversation, ...flag('--model', model)],
        ...['--permission-mode', modeOf(claudeModes, wish)],
      ],
      env: {
        // Scrolled-out text stays in the terminal.
        CLAUDE_CODE_DISABLE_ALTERNATE_SCREEN: '1',
        ...(trusted ? { CLAUDE_CODE_SANDBOXED: '1' } : {}),
      },
      files: [helper(wish)],
      session: resume ?? freshId,
    };
  },
  read: readHook,
  tellsStart: true,
  tellsPrompt: true,
  tellsEnd: true,
  resumes: true,
  prompt: /^❯/m,
  asks: ASKS,
  busy: /esc to interrupt/i,
  interrupted: /Interrupted · What should Claude do/,
  trouble: null,
  notifies: null,
  // Observed with 2.1.328: more than three lines or 800 characters in one paste become a `<pasted_content>`.
  mostPasted: 500,
  keys: { interrupt: ESC, leave: [CTRL_D, CTRL_D], newline: '\\\r', clear: CLEAR },
};

/** Codex asks about the repository of a worktree, and ignores dotted keys for a folder's path. */
const trust = (path: string): string => `${JSON.stringify(path)}={trust_level="trusted"}`;

const codex: CliPreset = {
  id: 'codex',
  name: 'Codex',
  login: 'codex login',
  modes: codexModes,
  start(wish) {
    const { cwd, folder, folders, model, ownCheckout, permissions } = wish;
    const { projectPath, readOnly, resume, trusted } = wish;
    const unasked = permissions === 'allow_all' && !ownCheckout;
    // A read-only agent gets nothing else, so it need not ask.
    const asks = unasked || permissions === 'deny' || readOnly ? 'never' : 'on-request';
    const sandbox = modeOf(codexModes, wish);
    const settings = [
      `notify=[${JSON.stringify(join(folder, HELPER))}]`,
      'tui.notifications=true',
      'tui.notification_method="osc9"',
      'tui.notification_condition="always"',
      'check_for_update_on_startup=false',
      // Otherwise a reviewer model may answer the operator's questions.
      'approvals_reviewer="user"',
      ...(folders === null ? [] : [writableRoots(folders)]),
      ...(trusted ? [`projects={${[...new Set([cwd, projectPath])].map(trust).join()}}`] : []),
    ];
    return {
      args: [
        ...(resume === null ? [] : ['resume', resume]),
        // A background server would outlive the session; the alternate screen loses scrolled-out text.
        ...['--no-daemon', '--no-alt-screen'],
        ...settings.flatMap((setting) => ['-c', setting]),
        ...['--ask-for-approval', asks, '--sandbox', sandbox, ...flag('--model', model)],
      ],
      env: {},
      files: [helper(wish)],
      session: resume,
    };
  },
  read: readNotify,
  tellsStart: false,
  tellsPrompt: false,
  tellsEnd: true,
  resumes: true,
  prompt: /^› /m,
  asks: new RegExp(`${ASKS.source}|would you like to (run|make|grant|allow)`, 'im'),
  busy: /esc to interrupt/i,
  interrupted: /^■ Conversation interrupted/m,
  trouble: /^■ (?!Conversation interrupted)(.+)$/m,
  notifies: /^(approval|permission|question|input|plan mode)/i,
  mostPasted: null,
  keys: { interrupt: ESC, leave: [CTRL_D, CTRL_C, CTRL_C], newline: null, clear: CLEAR },
};

const DEFAULTS = 'defaults.json';

const gemini: CliPreset = {
  id: 'gemini',
  name: 'Gemini CLI',
  login: 'gemini',
  modes: geminiModes,
  start(wish) {
    const { folder, freshId, model, resume, trusted } = wish;
    const events = ['SessionStart', 'BeforeAgent', 'AfterAgent', 'Notification'];
    const conversation = resume === null ? ['--session-id', freshId] : ['--resume', resume];
    const approval = modeOf(geminiModes, wish);
    return {
      args: [
        ...[...conversation, ...flag('--model', model), '--approval-mode', approval],
        ...(trusted ? ['--skip-trust'] : []),
      ],
      // Settings that override all others, for this process only.
      env: { GEMINI_CLI_SYSTEM_DEFAULTS_PATH: join(folder, DEFAULTS) },
      files: [helper(wish), { name: DEFAULTS, text: JSON.stringify({ hooks: hooks(wish, events) }) }],
      session: resume ?? freshId,
    };
  },
  read: readHook,
  tellsStart: false,
  tellsPrompt: true,
  tellsEnd: true,
  resumes: true,
  prompt: /type your message/i,
  asks: new RegExp(
    `${ASKS.source}|allow execution|apply this change|keep trying|waiting for user confirmation`,
    'im',
  ),
  busy: /esc to cancel/i,
  interrupted: /Request cancelled\./,
  trouble: /^\s*✕ (.+)$/m,
  notifies: null,
  mostPasted: null,
  keys: { interrupt: ESC, leave: [CTRL_D, CTRL_D, CTRL_C, CTRL_C], newline: null, clear: CLEAR },
};

const qwen: CliPreset = {
  ...gemini,
  id: 'qwen',
  name: 'Qwen Code',
  login: 'qwen',
  modes: qwenModes,
  start(wish) {
    const { folder, freshId, model, resume } = wish;
    const conversation = resume === null ? ['--session-id', freshId] : ['--resume', resume];
    const approval = modeOf(qwenModes, wish);
    return {
      args: [...conversation, ...flag('--model', model), '--approval-mode', approval],
      env: { QWEN_CODE_SYSTEM_DEFAULTS_PATH: join(folder, DEFAULTS) },
      files: [
        helper(wish),
        { name: DEFAULTS, text: JSON.stringify({ hooks: hooks(wish, HOOKS_OF_CLAUDE) }) },
      ],
      session: resume ?? freshId,
    };
  },
};

const aider: CliPreset = {
  id: 'aider',
  name: 'aider',
  login: null,
  modes: null,
  start(wish) {
    const { folder, model, permissions, readOnly, resume } = wish;
    const command = `${quoted(join(folder, HELPER))} ${quoted('{"type":"ended"}')}`;
    return {
      args: [
        ...['--notifications', '--notifications-command', command, '--no-check-update'],
        ...['--no-show-release-notes', ...flag('--model', model)],
        ...(permissions === 'allow_all' ? ['--yes-always'] : []),
        ...(readOnly || permissions === 'deny' ? ['--chat-mode', 'ask'] : []),
        // It keeps one history per folder, without ids.
        ...(resume === null ? [] : ['--restore-chat-history']),
      ],
      env: {},
      files: [helper(wish)],
      session: null,
    };
  },
  read: readPlain,
  tellsStart: false,
  tellsPrompt: false,
  tellsEnd: true,
  resumes: false,
  prompt: /^(\w+ )?> ?$/m,
  asks: null,
  busy: null,
  interrupted: /\^C again to exit/i,
  trouble: null,
  notifies: null,
  mostPasted: null,
  keys: { interrupt: CTRL_C, leave: [CTRL_D], newline: null, clear: null },
};

const generic: CliPreset = {
  id: 'generic',
  name: 'program',
  login: null,
  modes: null,
  start: (wish) => ({
    args: [],
    env: { [HELPER_VARIABLE]: join(wish.folder, HELPER) },
    files: [helper(wish)],
    session: wish.resume,
  }),
  read: readPlain,
  tellsStart: false,
  tellsPrompt: false,
  tellsEnd: false,
  resumes: false,
  prompt: null,
  asks: null,
  busy: null,
  interrupted: null,
  trouble: null,
  notifies: null,
  mostPasted: null,
  keys: { interrupt: CTRL_C, leave: [CTRL_D, CTRL_C], newline: null, clear: null },
};

/** No longer started (`withdrawnWords`); profiles that name it still open. */
const opencode: CliPreset = { ...generic, id: 'opencode', name: 'opencode' };

export const cliPresets: Readonly<Record<CliPresetId, CliPreset>> = {
  claude,
  codex,
  opencode,
  gemini,
  qwen,
  aider,
  generic,
};

/** The preset named by a profile, else that of its command. */
export function presetOf(profile: Pick<AgentProfileOf<'cli'>, 'preset' | 'command'>): CliPreset {
  const id = terminalPresetOf(profile);
  // That kind has no terminal, and no agent in this folder.
  return cliPresets[id === CODEX_EXEC ? 'codex' : id];
}
