import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setOwnValue } from '@contract/own';
import type { CommandSpec } from '../../../core/ports/ports';

/** Linux limits a single argument or variable to 128 KiB, Windows to 32,767 characters. */
const LONGEST_ARGUMENT = process.platform === 'win32' ? 30_000 : 120 * 1024;

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);
const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

/**
 * A value too long for the environment goes into a file beside the command's output, unless it is in one already. The
 * file is named in `NAME_FILE`. A shell script still finds the value in `NAME`, as an unexported variable that child
 * processes do not inherit. The `x` preserves trailing line ends, which `$(...)` removes. Throws file system errors.
 */
export function withLongValuesInFiles(spec: CommandSpec): CommandSpec {
  const long = Object.entries(spec.env).filter(
    ([name, value]) => Buffer.byteLength(value) + name.length >= LONGEST_ARGUMENT,
  );
  const files = Object.entries(spec.envFiles ?? {});
  if (long.length === 0 && files.length === 0) return spec;
  const env = { ...spec.env };
  const first: string[] = [];
  for (const [name, value] of long) {
    const path = `${spec.outputPath}.${name.replace(/\W/g, '_')}`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, value, { mode: 0o600 });
    delete env[name];
    files.push([name, path]);
  }
  for (const [name, path] of files) {
    setOwnValue(env, `${name}_FILE`, path);
    if (isName(name))
      first.push(`${name}=$(cat ${quoted(path)} && printf x) && ${name}=\${${name}%x} || exit 126; `);
  }
  // On the script's first line, so that its line numbers stay correct.
  return {
    ...spec,
    env,
    script: process.platform === 'win32' ? spec.script : `${first.join('')}${spec.script}`,
  };
}

/**
 * Writes a script that is too long for an argument to a file, and returns its path. Throws file system
 * errors.
 */
export function writeLongScript({ script, outputPath }: CommandSpec): string | null {
  if (process.platform === 'win32' || Buffer.byteLength(script) <= LONGEST_ARGUMENT) return null;
  const path = `${outputPath}.sh`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, script, { mode: 0o600 });
  return path;
}
