import { stat } from 'node:fs/promises';

/** How a file was left by the last write of this process, by its real path. The oldest are forgotten. */
const written = new Map<string, string>();
const MOST_FILES = 200;

const stateOf = async (path: string): Promise<string | null> => {
  const found = await stat(path, { bigint: true }).catch(() => null);
  return found === null ? null : `${found.ino} ${found.mtimeNs} ${found.size}`;
};

/** Before a file is moved to its place `path`: remembers it as one that this process wrote, and tells of itself. */
export async function noteOwnWrite(path: string, fresh: string): Promise<void> {
  const state = await stateOf(fresh);
  written.delete(path);
  if (state !== null) written.set(path, state);
  for (const oldest of written.keys()) {
    if (written.size <= MOST_FILES) break;
    written.delete(oldest);
  }
}

/** Whether a file is as this process left it, so that its change is no news. */
export async function isOwnWrite(path: string): Promise<boolean> {
  const known = written.get(path);
  return known !== undefined && known === (await stateOf(path));
}

const TEMPORARY = /^\.[0-9a-f-]{36}\.tmp$/;

/** The name of a file that is moved to the place of another one: which one has then changed is told by itself. */
export const isTemporary = (name: string): boolean => TEMPORARY.test(name);
