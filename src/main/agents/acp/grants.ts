import type { CreateTerminalRequest } from '@agentclientprotocol/sdk';
import type { PermissionRequest } from '@contract/gate/gate';
import type { ToolState } from './tool-calls';

/** What was allowed: to write one file, or to run one command in a folder. */
export type Grant = { readonly path: string } | { readonly command: string; readonly cwd: string };

/** A file that is to be written, or a command in the forms in which permission may have been asked for it. */
export type GrantRequest =
  | { readonly path: string }
  | { readonly forms: readonly string[]; readonly cwd: string };

const WRITES = new Set(['edit', 'move']);

/**
 * What a permission for a tool call lets the agent do by way of Muster. The files of a tool that edits may be written, and
 * those whose change was shown; permission to read or to delete a file is none to write it.
 */
export function grantsOf(tool: ToolState, asked: PermissionRequest, cwd: string): Grant[] {
  const shown = tool.content.flatMap((one) => (one.type === 'diff' ? [one.path] : []));
  const paths = new Set([...(WRITES.has(tool.kind) ? tool.locations : []), ...shown]);
  const files = [...paths].map((path) => ({ path }));
  if (tool.kind !== 'execute' || asked.command === undefined) return files;
  return [...files, { command: asked.command, cwd: asked.cwd ?? cwd }];
}

/** A command is the one that was allowed only as a whole, and in the same folder. */
export function isGrantFor(grant: Grant, wanted: GrantRequest): boolean {
  if ('path' in grant) return 'path' in wanted && grant.path === wanted.path;
  return 'forms' in wanted && grant.cwd === wanted.cwd && wanted.forms.includes(grant.command);
}

/** Variables change what a command does, so they are part of what is asked. */
const settings = ({ env }: CreateTerminalRequest): string[] =>
  (env ?? []).map(({ name, value }) => `${name}=${value}`);

/** A command as the operator is asked about it. */
export const lineOf = (params: CreateTerminalRequest): string =>
  [...settings(params), params.command, ...(params.args ?? [])].join(' ');

/**
 * How permission may have been asked for a command: as its whole line, or as the script alone that a shell is given. What
 * is behind a script is not what the shell runs.
 */
export function formsOf(params: CreateTerminalRequest): string[] {
  const [flags = '', script, ...more] = params.args ?? [];
  const shell = /(^|[\\/])(ba|da|z|k)?sh$/.test(params.command) && settings(params).length === 0;
  const alone = shell && /^-[a-z]*c$/.test(flags) && script !== undefined && more.length === 0;
  return [lineOf(params), ...(alone ? [script] : [])];
}
