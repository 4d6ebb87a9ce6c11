import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunState } from '@contract/run/state';
import { isInside } from '@main/guarded-files/paths';

/** The path of a command's output: in the run's own folder, whatever its history says. */
export function commandLog({ artifactsDir, commands }: RunState, commandId: number): string {
  const path = commands[commandId]?.outputPath ?? null;
  const usual = join(artifactsDir, 'commands', `c${commandId}.log`);
  if (path === null || !isInside(artifactsDir, resolve(path))) return usual;
  return isInside(realOr(artifactsDir), realOr(path)) ? path : usual;
}

const realOr = (path: string): string => {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
};
