import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setOwn } from '@contract/own';
import type { CommandSpec } from '../../core/ports/ports';

/** Linux takes no single argument or variable of 128 KiB or more, Windows none of 32,767 characters. */
const LONGEST_ARGUMENT = process.platform === 'win32' ? 30_000 : 120 * 1024;

const isName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name);
const quoted = (path: string): string => `'${path.replaceAll("'", `'\\''`)}'`;

/**
 * A value that no environment takes goes through a file beside the command's output, which `NAME_FILE` names. A shell
 * script finds it in `NAME` all the same, as a variable of its own: what it starts does not inherit it. The `x` keeps the
 * line ends at its end, which `$(...)` takes off. Throws what the file system says.
 */
export function withLongValuesInFiles(spec: CommandSpec, platform = process.platform): CommandSpec {
  const long = Object.entries(spec.env).filter(
    ([name, value]) => Buffer.byteLength(value) + name.length >= LONGEST_ARGUMENT,
  );
  if (long.length === 0) return spec;
  const env = { ...spec.env };
  const first: string[] = [];
  for (const [name, value] of long) {
    const path = `${spec.outputPath}.${name.replace(/\W/g, '_')}`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, value, { mode: 0o600 });
    delete env[name];
    setOwn(env, `${name}_FILE`, path);
    if (isName(name))
      first.push(`${name}=$(cat ${quoted(path)} && printf x) && ${name}=\${${name}%x} || exit 126; `);
  }
  // On the script's first line, so that the numbers of its lines stay.
  return { ...spec, env, script: platform === 'win32' ? spec.script : `${first.join('')}${spec.script}` };
}

/** Lays a script that is too long for an argument into a file, whose path it gives. Throws what the file system says. */
export function writeLongScript({ script, outputPath }: CommandSpec): string | null {
  if (process.platform === 'win32' || Buffer.byteLength(script) <= LONGEST_ARGUMENT) return null;
  const path = `${outputPath}.sh`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, script, { mode: 0o600 });
  return path;
}
