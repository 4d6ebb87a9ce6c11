import { ownValue } from '@contract/own';
import type { Node, SyntaxNode } from './syntax';

/** How a program takes code: after a flag, as its first operand, as a file, or on standard input. */
export interface Interpreter {
  /** Flags whose next word is code. */
  readonly code: RegExp | null;
  /** Flags whose next word is something else. */
  readonly valued: RegExp | null;
  /** What its first operand is, where no flag gave code. */
  readonly operand: 'file' | 'code' | 'data';
  /** Whether it reads code on standard input where it gets none otherwise. */
  readonly input: boolean;
  /** A flag after which all operands are data, and code comes on standard input. */
  readonly reads?: RegExp;
}

const program = (
  operand: Interpreter['operand'],
  code: RegExp | null,
  valued: RegExp | null = null,
): Interpreter => ({ code, valued, operand, input: true });

const INTERPRETERS: readonly (readonly [names: RegExp, how: Interpreter])[] = [
  [
    /^(?:ba|da|z|k|mk|a|fi|c|tc|rba)?sh$/,
    {
      ...program('file', /^[-+][A-Za-z]*c[A-Za-z]*$/, /^[-+][oO]$|^--(?:rcfile|init-file)$/),
      reads: /^-[A-Za-z]*s/,
    },
  ],
  [/^(?:python|pypy)[\d.]*$/, program('file', /^-[A-Za-z]*c$/, /^-[WX]$/)],
  [
    /^(?:node|nodejs|bun|deno|tsx|ts-node)$/,
    program('file', /^(?:-[a-z]*[ep]|--eval|--print|eval)$/, /^(?:-r|--require|--import|--loader)$/),
  ],
  [/^perl[\d.]*$/, program('file', /^-[A-Za-z0-9]*[eE]$/)],
  [/^ruby[\d.]*$/, program('file', /^-[A-Za-z]*e$/, /^-[rICE]$/)],
  [/^php[\d.]*$/, program('file', /^-[A-Za-z]*[rBRE]$/, /^-[cd]$/)],
  [
    /^(?:lua[\d.]*|luajit|Rscript|julia|osascript|elixir|groovy|irb|guile)$/,
    program('file', /^-[A-Za-z]*[ec]$/),
  ],
  [/^(?:pwsh|powershell)$/, program('file', /^-(?:c|command|encodedcommand)$/i)],
  [/^(?:g|m|n)?awk$/, { ...program('code', /^(?:-e|--source)$/, /^-[vF]$/), input: false }],
  [
    /^g?sed$/,
    { ...program('code', /^(?:-[A-Za-z]*e|--expression)$/, /^(?:-l|--line-length)$/), input: false },
  ],
  [/^(?:tclsh[\d.]*|expect|octave|gnuplot|R|ghci|m4|gdb|bc)$/, program('file', /^(?:-[cx]|-ex|--eval)$/)],
  [/^psql$/, program('data', /^(?:-c|--command)$/, /^-[dhpUvoF]$/)],
  [/^(?:mysql|mariadb)$/, program('data', /^(?:-e|--execute)$/, /^-[hPuD]$/)],
  [/^(?:sqlite3|duckdb)$/, program('data', /^-(?:cmd|c)$/)],
  [/^su$/, program('data', /^(?:-[A-Za-z]*c|--command)$/, /^-[gGsw]$/)],
  [/^(?:parallel|watch|at|batch|crontab|ed|ex|dc|sftp|ftp|lftp)$/, program('data', null)],
];

/** Programs that run each of their words, or a line of them, through a shell. */
const RUNS_WORDS: ReadonlySet<string> = new Set([
  'parallel',
  'watch',
  'tmux',
  'screen',
  'make',
  'gmake',
  'nmake',
]);

export const interpreterOf = (name: string): Interpreter | null =>
  INTERPRETERS.find(([names]) => names.test(name))?.[1] ?? null;

export const runsWords = (name: string): boolean => RUNS_WORDS.has(name);

/** A program that runs another, which its remaining words name. */
export interface Wrapper {
  readonly valued: RegExp | null;
  /** Operands before the program. */
  readonly skips: number;
  /** Flags whose next word is a line for a shell. */
  readonly code?: RegExp;
  readonly assigns?: boolean;
}

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  sudo: { valued: /^(?:-[ugpChrtTRDU]|--(?:user|group|host|prompt|chdir))$/, skips: 0, assigns: true },
  doas: { valued: /^-[uC]$/, skips: 0 },
  env: {
    valued: /^(?:-[uC]|--(?:unset|chdir))$/,
    skips: 0,
    assigns: true,
    code: /^(?:-[A-Za-z]*S|--split-string)$/,
  },
  nice: { valued: /^(?:-n|--adjustment)$/, skips: 0 },
  ionice: { valued: /^-[cnpPu]$/, skips: 0 },
  timeout: { valued: /^(?:-[ks]|--(?:kill-after|signal))$/, skips: 1 },
  nohup: { valued: null, skips: 0 },
  setsid: { valued: null, skips: 0 },
  stdbuf: { valued: /^-[ioe]$/, skips: 0 },
  exec: { valued: /^-[A-Za-z]*a$/, skips: 0 },
  command: { valued: null, skips: 0 },
  builtin: { valued: null, skips: 0 },
  time: { valued: /^-[fo]$/, skips: 0 },
  chroot: { valued: null, skips: 1 },
  flock: { valued: /^-[wE]$/, skips: 1, code: /^(?:-c|--command)$/ },
  runuser: { valued: /^-[ugG]$/, skips: 0, code: /^(?:-c|--command)$/ },
  script: { valued: null, skips: 9, code: /^-[A-Za-z]*c$/ },
  taskset: { valued: null, skips: 1 },
  gosu: { valued: null, skips: 1 },
  strace: { valued: /^-[eopsu]$/, skips: 0 },
  busybox: { valued: null, skips: 0 },
  caffeinate: { valued: /^-[tw]$/, skips: 0 },
  npx: { valued: /^(?:-p|--package)$/, skips: 0, code: /^(?:-c|--call)$/ },
  unbuffer: { valued: null, skips: 0 },
  'xvfb-run': { valued: /^-[efns]$/, skips: 0 },
  xargs: { valued: /^(?:-[ILnPsdEa]|--(?:max-args|max-procs|replace|delimiter|arg-file))$/, skips: 0 },
};

export const wrapperOf = (name: string): Wrapper | null => ownValue(WRAPPERS, name) ?? null;

/** Programs that start another one elsewhere; an interpreter among their words is that one. */
const CARRIERS =
  /^(?:docker|podman|nerdctl|kubectl|oc|nsenter|unshare|firejail|systemd-run|uv|poetry|pipenv|npm|pnpm|yarn|nix|nix-shell|vagrant|lxc|flatpak|wsl|heroku|adb)$/;
export const isCarrier = (name: string): boolean => CARRIERS.test(name);

/** Variables whose text the shell or a common program runs. */
const RUN_VARIABLES =
  /^(?:BASH_ENV|ENV|PS4|PROMPT_COMMAND|MAKEFLAGS|GIT_SSH_COMMAND|GIT_EDITOR|GIT_PAGER|GIT_SEQUENCE_EDITOR|GIT_EXTERNAL_DIFF|EDITOR|VISUAL|PAGER|LESSOPEN|NODE_OPTIONS|PERL5OPT|RUBYOPT|PYTHONSTARTUP|LD_PRELOAD|RSYNC_RSH)$/;
export const isRunVariable = (name: string): boolean => RUN_VARIABLES.test(name);

/** Keys of git's settings that hold plain text. */
export const isPlainSetting = (key: string): boolean =>
  /^(?:user|author|committer)\.(?:name|email)$|^(?:init\.defaultbranch|commit\.gpgsign|core\.quotepath|color\..*)$/i.test(
    key,
  );

/** Flags of other programs whose value is run. */
const RUN_FLAGS: Readonly<Record<string, RegExp>> = {
  tar: /^(?:--to-command|--checkpoint-action|--use-compress-program|--rsh-command|-[A-Za-z]*I)(?:=|$)/,
  rsync: /^(?:-[A-Za-z]*e|--rsh|--rsync-path)(?:=|$)/,
  split: /^--filter(?:=|$)/,
  sort: /^--compress-program(?:=|$)/,
  ssh: /^-[oF]/,
  scp: /^-[oFS]/,
  vim: /^(?:-c|--cmd|\+)/,
  complete: /^-C$/,
  compgen: /^-[CW]$/,
};

export const runFlagOf = (name: string): RegExp | null => ownValue(RUN_FLAGS, name) ?? null;

const literal = (node: SyntaxNode | undefined): readonly string[] =>
  node?.type === 'Command'
    ? [node.name, ...node.args].map((word) => (word?.type === 'Word' ? word.value : ''))
    : [];

/** Whether a command prints numbers or fingerprints of its own, never the text that it reads. */
export function countsOnly(node: SyntaxNode | undefined): boolean {
  const [name = '', ...words] = literal(node);
  if (/^(?:wc|cksum|md5sum|sha\d+sum|true|false|:|test|\[)$/.test(name)) return true;
  return /^[ef]?grep$/.test(name) && words.some((word) => /^(?:-[A-Za-z]*[cq]|--count|--quiet)$/.test(word));
}

export const readsNothing = (node: Node<'Command'>): boolean =>
  /^(?:echo|printf|true|false|:|test|\[|cd|pwd|exit|return|export|declare|local|date|sleep|ls)$/.test(
    literal(node)[0] ?? '',
  );
