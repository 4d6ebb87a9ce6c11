import { basename } from './basename';
import { type Carried, joined, NOTHING } from './carried';
import {
  type Interpreter,
  interpreterOf,
  isCarrier,
  isPlainSetting,
  isRunVariable,
  runFlagOf,
  runsWords,
  type Wrapper,
  wrapperOf,
} from './programs';

/** A word of a command. */
export interface Arg {
  /** The word, where the script says what it is. */
  readonly text: string | null;
  /** Its beginning up to the first expansion. */
  readonly lead: string;
  readonly carried: Carried;
  /** The shell splits its text into words: options and commands can be among them. */
  readonly splits: boolean;
}

const NO_WORD: Arg = { text: null, lead: '', carried: NOTHING, splits: false };
const SPLIT = 'is split into words, and one of them can be an option or a command that is run';

interface Call {
  readonly args: readonly Arg[];
  readonly input: Carried;
}

/** A text becomes code of a program: how. */
type Warn = (carried: Carried, how: string) => void;

const INPUT = /^(?:-|\/dev\/(?:stdin|fd\/0))$/;

/** Reports the texts that a command hands to a program that runs them. */
export function examine({ args, input }: Call, warn: Warn): void {
  const [first, ...rest] = args;
  if (first === undefined) return;
  warn(first.carried, 'is run as a command');
  if (first.text === null) return;
  const name = basename(first.text);
  const flag = runFlagOf(name);
  rest.forEach((arg, index) => {
    const before = rest[index - 1]?.text ?? '';
    if (flag !== null && (flag.test(arg.lead) || (flag.test(before) && !before.includes('='))))
      warn(arg.carried, `is an argument of ${name} ${flag.test(before) ? before : arg.lead}, which runs it`);
    if (arg.splits && /^(?:find|git|tar|rsync|ssh|scp|sort|split)$/.test(name)) warn(arg.carried, SPLIT);
    if (runsWords(name)) warn(arg.carried, `is an argument of ${name}, which expands and runs it`);
  });
  if (name === 'find') return findActions(rest, (inner) => examine({ args: inner, input }, warn));
  if (name === 'git') return git(rest, warn);
  if (name === 'ssh') return ssh({ args: rest, input }, warn);
  if (isCarrier(name)) return carrier({ args: rest, input }, warn);
  const wrapper = wrapperOf(name);
  if (wrapper !== null) return wrapped({ name, wrapper }, { args: rest, input }, warn);
  const how = interpreterOf(name);
  if (how !== null) interpret({ name, how }, { args: rest, input }, warn);
  if (name === 'make' && rest.some(({ text }) => INPUT.test(text ?? '')))
    warn(input, 'is fed to make, which runs it as code');
}

function interpret(
  { name, how }: { name: string; how: Interpreter },
  { args, input }: Call,
  warn: Warn,
): void {
  const code = (carried: Carried, flag = '') =>
    warn(carried, `is an argument of ${name}${flag}, which runs it as code`);
  let given = false;
  for (let at = 0; at < args.length; at += 1) {
    const { text, lead, carried, splits } = args[at] ?? NO_WORD;
    if (splits) code(carried);
    if (text !== null && how.code?.test(text) === true) {
      code(args[at + 1]?.carried ?? NOTHING, ` ${text}`);
      given = true;
      at += 1;
      if (how.operand === 'file') return;
    } else if (text !== null && /^(?:-f|--file)$/.test(text) && how.operand === 'code') {
      const file = args[at + 1];
      if (INPUT.test(file?.text ?? '')) warn(input, `is fed to ${name}, which runs it as code`);
      code(file?.carried ?? NOTHING, ' -f');
      given = true;
      at += 1;
    } else if (text !== null && how.valued?.test(text) === true) {
      at += 1;
      if (args[at]?.splits === true) code(args[at]?.carried ?? NOTHING);
    } else if (how.reads?.test(lead) === true) return warn(input, `is fed to ${name}, which runs it as code`);
    else if (INPUT.test(text ?? '') && how.operand !== 'code')
      return warn(input, `is fed to ${name}, which runs it as code`);
    else if (/^[-+]./.test(lead)) {
      if (!/^-[vF]/.test(lead) || how.operand !== 'code') code(carried);
    } else if (how.operand === 'file') return code(carried);
    else if (how.operand === 'code' && !given) return code(carried);
    else if (how.operand === 'data' && how.code !== null && /^(?:sqlite3|duckdb)$/.test(name)) code(carried);
  }
  if (how.input && !given) warn(input, `is fed to ${name}, which runs it as code`);
}

/** `sudo`, `env`, `timeout`, `xargs` and the like: the program that they start, with its words. */
function wrapped(
  { name, wrapper }: { name: string; wrapper: Wrapper },
  { args, input }: Call,
  warn: Warn,
): void {
  let { skips } = wrapper;
  for (let at = 0; at < args.length; at += 1) {
    const { text, lead, carried, splits } = args[at] ?? NO_WORD;
    if (splits) warn(carried, SPLIT);
    if (name === 'command' && /^-[vV]/.test(lead)) return;
    if (text !== null && wrapper.code?.test(text) === true) {
      warn(args[at + 1]?.carried ?? NOTHING, `is an argument of ${name} ${text}, which runs it as code`);
      at += 1;
    } else if (/^(?:-[A-Za-z]*S.|--split-string=)/.test(lead) && name === 'env')
      warn(carried, 'is an argument of env -S, which runs it as a command');
    else if (text !== null && wrapper.valued?.test(text) === true) {
      at += 1;
      if (args[at]?.splits === true) warn(args[at]?.carried ?? NOTHING, SPLIT);
    } else if (wrapper.assigns === true && /^[A-Za-z_]\w*=/.test(lead)) assigned(lead, carried, warn);
    else if (/^-./.test(lead)) continue;
    else if (skips > 0) skips -= 1;
    else {
      const inner = args.slice(at);
      return name === 'xargs'
        ? fromInput(args.slice(0, at), { args: inner, input }, warn)
        : examine({ args: inner, input }, warn);
    }
  }
}

/** `xargs`: what it reads becomes words of the program, at the end or for each mark. */
function fromInput(options: readonly Arg[], { args, input }: Call, warn: Warn): void {
  const at = options.findIndex(({ text }) => /^-[Ii]|^--replace/.test(text ?? ''));
  const option = options[at]?.text ?? '';
  const mark =
    at < 0
      ? null
      : /^-[Ii]$/.test(option)
        ? (options[at + 1]?.text ?? '{}')
        : option.replace(/^-[Ii]|^--replace=?/, '') || '{}';
  const words = args.map((arg) =>
    mark !== null && (arg.text ?? '').includes(mark) ? { ...arg, carried: joined(arg.carried, input) } : arg,
  );
  const added: Arg = { ...NO_WORD, carried: input, splits: true };
  examine({ args: mark === null ? [...words, added] : words, input: NOTHING }, warn);
}

export function assigned(lead: string, carried: Carried, warn: Warn): void {
  const name = lead.slice(0, lead.indexOf('='));
  if (isRunVariable(name)) warn(carried, `is assigned to ${name}, which a program or the shell runs as code`);
}

function findActions(args: readonly Arg[], run: (inner: readonly Arg[]) => void): void {
  args.forEach(({ text }, at) => {
    if (/^-(?:exec|ok)(?:dir)?$/.test(text ?? '')) {
      const end = args.findIndex((one, index) => index > at && (one.text === ';' || one.text === '+'));
      run(args.slice(at + 1, end < 0 ? undefined : end));
    }
  });
}

function git(args: readonly Arg[], warn: Warn): void {
  args.forEach(({ lead, carried }, at) => {
    const before = args[at - 1]?.text ?? '';
    const isSetting =
      before === '-c' && args.slice(0, at - 1).every(({ text }) => text?.startsWith('-') ?? false);
    if (isSetting && !isPlainSetting(lead.split('=')[0] ?? ''))
      warn(carried, 'is a setting for git -c, and git runs such settings as commands');
    if (
      /^(?:-x|--exec|--extcmd|--upload-pack|--receive-pack|--tree-filter|--msg-filter|--index-filter)$/.test(
        before,
      )
    )
      warn(carried, `is an argument of git ${before}, which runs it as code`);
    if (/^--(?:exec|extcmd|upload-pack|receive-pack)=/.test(lead))
      warn(carried, `is an argument of git ${lead}, which runs it as code`);
  });
  const verb = args.findIndex(({ text }) => /^(?:config|bisect|submodule)$/.test(text ?? ''));
  const [, second, ...rest] = verb < 0 ? [] : args.slice(verb);
  const words = args[verb]?.text;
  if (words === 'config' && second !== undefined) {
    const key = [second, ...rest].find(({ lead }) => !lead.startsWith('-'));
    if (!isPlainSetting(key?.text ?? ''))
      for (const { carried } of [second, ...rest])
        warn(carried, 'is a setting of git, which runs such settings as commands');
  }
  if (words === 'submodule' && second?.text === 'foreach')
    for (const { carried } of rest)
      warn(carried, 'is an argument of git submodule foreach, which runs it as code');
  if (words === 'bisect' && second?.text === 'run') examine({ args: rest, input: NOTHING }, warn);
}

function ssh({ args, input }: Call, warn: Warn): void {
  const valued = /^-[bcDEeIiJLlmOpQRSWwoF]$/;
  let at = 0;
  while (at < args.length && /^-./.test(args[at]?.lead ?? ''))
    at += valued.test(args[at]?.text ?? '') ? 2 : 1;
  const remote = args.slice(at + 1);
  for (const { carried } of remote)
    warn(carried, 'is an argument of ssh, which runs it as code on another machine');
  if (remote.length === 0) warn(input, 'is fed to ssh, which runs it as code on another machine');
  else examine({ args: remote, input }, warn);
}

function carrier({ args, input }: Call, warn: Warn): void {
  const at = args.findIndex(({ text }) => text !== null && interpreterOf(basename(text)) !== null);
  if (at >= 0) examine({ args: args.slice(at), input }, warn);
}
