import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import { shell } from 'electron';
import { EDITOR_STARTED_MS } from '../../limits/main';
import { wouldRun } from './executable-files';

/**
 * Opens a file with the operator's editor, or with the system's program for it, which must not run it.
 * `{file}` and `{line}` in the editor command are replaced; without `{file}` the path comes last.
 */
export async function openInEditor(
  { path, line }: { path: string; line?: number },
  command: string,
): Promise<Result<Record<string, never>>> {
  // An editor would take a path that begins with a dash for an option.
  const found = isAbsolute(path) ? await stat(path).catch(() => null) : null;
  if (!found) return fail('not_found', `${path} does not exist.`);
  const [program, ...args] = words(command);
  if (program !== undefined) {
    const filled = args.map((arg) => arg.replaceAll('{file}', path).replaceAll('{line}', String(line ?? 1)));
    return start(program, command.includes('{file}') ? filled : [...filled, path]);
  }
  if (wouldRun(path, found)) {
    shell.showItemInFolder(path);
    return ok({});
  }
  const trouble = await shell.openPath(path);
  if (trouble === '') return ok({});
  return fail('unavailable', `${path} could not be opened: ${trouble}`, {
    mend: 'Set an editor command in the settings.',
  });
}

function start(program: string, args: readonly string[]): Promise<Result<Record<string, never>>> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore', shell: false });
    child.once('error', (cause) => {
      const mend = 'Check the editor command in the settings.';
      resolve(
        fail('unavailable', `The editor "${program}" could not be started: ${cause.message}`, { mend }),
      );
    });
    child.once('spawn', () => setTimeout(() => resolve(ok({})), EDITOR_STARTED_MS));
    child.unref();
  });
}

/** Splits at spaces, respecting quotes. No shell: a path may contain anything. */
export function words(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}
