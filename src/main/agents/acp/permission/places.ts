import { isAbsolute, join, relative, sep } from 'node:path';
import type { PermissionRequest } from '@areas/gates/contract/gate';
import type { Json } from '@contract/ids';
import { ownValue } from '@contract/own';
import type { WorkspaceFiles } from '../../../core/ports/files';
import { type ToolState, toJson } from '../turn/tool-calls';
import { isEdit } from './permission';

/** Keys under which tools receive the affected files, including both ends of a move. */
const PATH_KEYS = new Set(
  [
    ...['path', 'file', 'abs', 'absolute', 'notebook', 'old', 'new', 'original', 'source', 'src', 'from'],
    ...['target', 'dest', 'destination', 'dst', 'to', 'move', 'moved', 'rename', 'renamed', 'output'],
  ]
    .flatMap((word) => ['_path', 'path', '_file', '_filename'].map((ending) => `${word}${ending}`))
    .concat('path', 'file', 'filename', 'destination', 'paths', 'files'),
);
/** In an edit these are files too; elsewhere `to` may be a message's recipient. */
const EDIT_KEYS = new Set([
  ...['from', 'to', 'src', 'dst', 'dest', 'source', 'target', 'old_name', 'new_name'],
  ...['move_to', 'moved_to', 'rename_to', 'renamed_to', 'rename'],
]);
/** Texts that name the files which they change. */
const PATCH_KEY = /(?:patch|diff)(?:_?text)?$|^input$/i;
const PATCHED =
  /^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:rename|copy) (?:from|to) |(?:---|\+\+\+) (?:[ab]\/(?!\/))?)([^\t\r\n]+)/gm;
const FOLDER_KEYS = ['cwd', 'workdir', 'working_directory', 'workingDirectory', 'directory', 'dir_path'];
const DEPTH = 4;

const plain = (key: string) => key.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();

const patched = (text: string): string[] =>
  [...text.matchAll(PATCHED)].map(([, path = '']) => path).filter((path) => path !== '/dev/null');

/** The paths in a tool's input; `changes` has a path for each key. */
function named(input: Json | undefined, edits: boolean, depth = DEPTH): string[] {
  if (depth === 0 || typeof input !== 'object' || input === null) return [];
  const within = (value: Json) => named(value, edits, depth - 1);
  if (Array.isArray(input)) return input.flatMap(within);
  return Object.entries(input).flatMap(([key, value]) => {
    const name = plain(key);
    if (key === 'changes' && typeof value === 'object' && value !== null && !Array.isArray(value))
      return [...Object.keys(value), ...Object.values(value).flatMap(within)];
    if (edits && typeof value === 'string' && PATCH_KEY.test(name)) return patched(value);
    if (!PATH_KEYS.has(name) && !(edits && EDIT_KEYS.has(name))) return within(value);
    if (typeof value === 'string') return [value];
    if (!Array.isArray(value)) return within(value);
    return value.flatMap((one) => (typeof one === 'string' ? [one] : within(one)));
  });
}

function folderIn(input: Json | undefined): string | null {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return null;
  const found = FOLDER_KEYS.map((key) => ownValue(input, key)).find((value) => typeof value === 'string');
  return typeof found === 'string' && found !== '' ? found : null;
}

const climbs = (path: string) => path.split(/[\\/]/).includes('..');

interface Seen {
  /** The session's folder, with its name in the run. */
  readonly cwd: string;
  readonly files: Pick<WorkspaceFiles, 'real' | 'mayWrite'>;
}

/** Every path in a tool call, as reported. */
function reportedPaths(tool: ToolState, input: Json | undefined): string[] {
  return [
    ...tool.locations,
    ...tool.content.flatMap((one) => (one.type === 'diff' ? [one.path] : [])),
    ...(tool.kind === 'execute' ? [] : named(input, isEdit(tool.kind))),
  ].filter((path) => path !== '');
}

/** `~` or a URL: the agent interprets it differently from a file system. */
const isNoPath = (path: string) => /^(~|[a-z][\w+.-]+:)/i.test(path);

/**
 * Whether an edit names its files and the session may write all of them. A path whose meaning only the agent
 * knows counts as outside.
 */
export async function editsInside(
  tool: ToolState,
  { cwd, roots, files }: Seen & { readonly roots: readonly string[] },
): Promise<boolean> {
  const paths = reportedPaths(tool, toJson(tool.rawInput));
  if (paths.length === 0 || paths.some((path) => climbs(path) || isNoPath(path))) return false;
  const absolute = paths.map((path) => (isAbsolute(path) ? path : join(cwd, path)));
  return (await Promise.all(absolute.map((path) => files.mayWrite(path, roots)))).every(Boolean);
}

/**
 * A tool call's files and working folder for permission rules: absolute, with links resolved; those in the
 * session's folder under the folder's own name. A path with `..` is left unchanged: its meaning is up to the
 * agent, so no rule allows it.
 */
export async function placesOf(
  tool: ToolState,
  { cwd, files }: Seen,
): Promise<Pick<PermissionRequest, 'paths' | 'cwd'>> {
  const input = toJson(tool.rawInput);
  const reported = reportedPaths(tool, input);
  const folder = tool.kind === 'execute' ? folderIn(input) : null;
  const root = await files.real(cwd);
  const resolved = async (path: string): Promise<string> => {
    const whole = isAbsolute(path) ? path : `${cwd}${sep}${path}`;
    if (climbs(path)) return whole;
    const real = await files.real(whole);
    const way = relative(root, real);
    const outside = way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way);
    return outside ? real : join(cwd, way);
  };
  const paths = [...new Set(await Promise.all(reported.map(resolved)))];
  return {
    ...(paths.length === 0 ? {} : { paths }),
    ...(folder === null ? {} : { cwd: await resolved(folder) }),
  };
}
