import { globalFlags } from './arguments/arguments';
import type { Command, Flags } from './command';
import { EXIT, type ExitCode, exitMeanings } from './exit';
import { columns } from './output/columns';

const INDENT = '  ';

export const usageLine = ({ name, words, flags }: Command): string => {
  const shown = Object.entries(flags).map(([flag, { value, many }]) =>
    value === undefined ? `[--${flag}]` : `[--${flag} ${value}]${many === true ? '...' : ''}`,
  );
  return ['usage: muster', name, words, ...shown].filter((part) => part !== '').join(' ');
};

export function helpOf(command: Command): string {
  const commandFlags = flagLines(command.flags);
  return [
    usageLine(command),
    '',
    command.summary,
    ...(command.more === undefined ? [] : ['', command.more]),
    ...(commandFlags.length > 0 ? ['', 'Flags', ...commandFlags] : []),
    '',
    'Flags of every command',
    ...flagLines(globalFlags),
  ].join('\n');
}

export function generalHelp(commands: readonly Command[]): string {
  const rows = commands.map(({ name, words, summary }) => [`${name} ${words}`.trim(), summary]);
  return [
    'usage: muster COMMAND [flags]',
    '',
    'Runs workflows of AI agents and answers their gates. If a Muster is running, with or without a window, it executes',
    'the command. Otherwise the command line hosts its own core for as long as there is work.',
    '',
    'Commands',
    ...columns(rows, { indent: INDENT }),
    '',
    'Flags of every command',
    ...flagLines(globalFlags),
    '',
    'Exit codes',
    ...columns(
      exitRows().map(([code, meaning]) => [String(code), meaning]),
      { indent: INDENT },
    ),
    '',
    'muster COMMAND --help describes one command.',
  ].join('\n');
}

const exitRows = (): [ExitCode, string][] =>
  Object.entries(EXIT).map(([name, code]) => [code, exitMeanings[name as keyof typeof EXIT]]);

const flagLines = (flags: Flags): string[] =>
  columns(
    Object.entries(flags).map(([name, { value, help }]) => [
      value === undefined ? `--${name}` : `--${name} ${value}`,
      help,
    ]),
    { indent: INDENT },
  );
