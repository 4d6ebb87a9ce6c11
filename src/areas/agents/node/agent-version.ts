// biome-ignore lint/style/noRestrictedImports: package.json of an installed agent, not of a project.
import { readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '@main/core/ports/ports';
import type { Processes } from '@main/core/ports/programs/process';
import { z } from 'zod';
import { askProgram } from './asked-program';

const VERSION = /\d+\.\d+[\w.+-]*/;

interface VersionParts {
  readonly processes: Pick<Processes, 'launch'>;
  readonly clock: Clock;
  readonly tempDir: string;
}

/** From the package that contains the program, else by running it; null if neither works. */
export async function versionOf(
  parts: VersionParts,
  path: string,
  args: readonly string[],
): Promise<string | null> {
  return (await packageVersion(path)) ?? (await askedVersion(parts, path, args));
}

const manifestSchema = z.object({
  version: z.string(),
  bin: z.union([z.string(), z.record(z.string(), z.string())]),
});

/** npm links a program to a file in its package, so nothing needs to be started. */
async function packageVersion(path: string): Promise<string | null> {
  const name = basename(path).replace(/\.(exe|cmd|bat)$/i, '');
  const file = await realpath(path).catch(() => path);
  for (let folder = dirname(file), up = 0; up < 4; folder = dirname(folder), up += 1) {
    const text = await readFile(join(folder, 'package.json'), 'utf8').catch(() => null);
    if (text === null) continue;
    const manifest = parsed(text);
    if (manifest === null) return null;
    return typeof manifest.bin === 'string' || Object.hasOwn(manifest.bin, name) ? manifest.version : null;
  }
  return null;
}

function parsed(text: string): z.infer<typeof manifestSchema> | null {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** The version that the program prints; null if it prints none in time. */
export async function askedVersion(
  parts: VersionParts,
  command: string,
  args: readonly string[],
): Promise<string | null> {
  const asked = await askProgram(parts, command, args);
  return asked?.code === 0 ? (VERSION.exec(asked.text)?.[0] ?? null) : null;
}
