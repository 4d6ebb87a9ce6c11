import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { compareVersions } from '@areas/hosts/core/probe';

/** A Node of this machine that is new enough for a host: the one that runs the test, or another one on PATH. */
export function hostNode(least: string): string | null {
  const onPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'node'));
  return [process.execPath, ...onPath].find((path) => existsSync(path) && isNewEnough(path, least)) ?? null;
}

function isNewEnough(path: string, least: string): boolean {
  const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
  return /^\d+\.\d+\.\d+$/.test(version) && compareVersions(version, least) >= 0;
}
