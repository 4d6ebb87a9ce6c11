import type { CreateTerminalRequest } from '@agentclientprotocol/sdk';
import type { PermissionRequest } from '@areas/gates/contract/gate';
import type { ToolState } from '../turn/tool-calls';

/** A permitted action: writing one file, or running one command in a folder. */
export type Grant = { readonly path: string } | { readonly command: string; readonly cwd: string };

/** A file to be written, or a command in all forms in which permission may have been requested. */
export type GrantRequest =
  | { readonly path: string }
  | { readonly forms: readonly string[]; readonly cwd: string };

const WRITES = new Set(['edit', 'move']);

/**
 * What a permission for a tool call allows through Muster: writing the files of an edit tool, and files whose
 * changes were shown. Permission to read or delete a file does not include writing it.
 */
export function grantsOf(tool: ToolState, request: PermissionRequest, cwd: string): Grant[] {
  const shown = tool.content.flatMap((one) => (one.type === 'diff' ? [one.path] : []));
  const paths = new Set([...(WRITES.has(tool.kind) ? tool.locations : []), ...shown]);
  const files = [...paths].map((path) => ({ path }));
  if (tool.kind !== 'execute' || request.command === undefined) return files;
  return [...files, { command: request.command, cwd: request.cwd ?? cwd }];
}

/** A command matches only as a whole, and in the same folder. */
export function isGrantFor(grant: Grant, wanted: GrantRequest): boolean {
  if ('path' in grant) return 'path' in wanted && grant.path === wanted.path;
  return 'forms' in wanted && grant.cwd === wanted.cwd && wanted.forms.includes(grant.command);
}

/** Variables change what a command does, so they are part of the question. */
const settings = ({ env }: CreateTerminalRequest): string[] =>
  (env ?? []).map(({ name, value }) => `${name}=${value}`);

/** A command as shown to the operator. */
export const lineOf = (params: CreateTerminalRequest): string =>
  [...settings(params), params.command, ...(params.args ?? [])].join(' ');

/**
 * The forms in which permission for a command may have been requested: the whole line, or only the script
 * passed to a shell. Arguments after a script are not run by the shell.
 */
export function formsOf(params: CreateTerminalRequest): string[] {
  const [flags = '', script, ...more] = params.args ?? [];
  const shell = /(^|[\\/])(ba|da|z|k)?sh$/.test(params.command) && settings(params).length === 0;
  const alone = shell && /^-[a-z]*c$/.test(flags) && script !== undefined && more.length === 0;
  return [lineOf(params), ...(alone ? [script] : [])];
}
