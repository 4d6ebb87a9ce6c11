import { type ChildProcess, spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { fail, ok, type Result } from '@contract/result';
import type { LaunchSpec, ManagedProcess, ScriptRuntime } from '../../core/ports/programs/process';
import { LAUNCH_MARK } from './guard/end-group';
import { posixGuard } from './guard/guard-posix';
import { windowsGuard } from './guard/guard-windows';
import { ManagedChild } from './managed-child';

interface LaunchContext {
  /** Absolute path of the program. */
  readonly program: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly mark: string;
  /** Runs the guard on Windows. */
  readonly runtime: ScriptRuntime;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}

function start(spec: LaunchSpec, context: LaunchContext): ChildProcess {
  const onWindows = process.platform === 'win32';
  const guard = onWindows
    ? windowsGuard(context.mark, context.runtime)
    : { ...posixGuard(context.mark, spec.output.kind), env: {} };
  const env: Record<string, string> = { ...context.environment, ...spec.env, ...guard.env };
  if (onWindows && spec.env.ELECTRON_RUN_AS_NODE) env.MUSTER_CHILD_AS_NODE = '1';
  // A search by the mark of the guarded process must not find the guard itself.
  delete env[LAUNCH_MARK];
  return spawn(guard.file, [...guard.args, context.program, ...spec.args], {
    cwd: spec.cwd,
    env,
    detached: !onWindows,
    stdio: [spec.stdin === 'pipe' ? 'pipe' : 'ignore', 'pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

/** Starts a program under a guard, in its own process group. */
export async function launch(spec: LaunchSpec, context: LaunchContext): Promise<Result<ManagedProcess>> {
  if (!(await isFolder(spec.cwd))) {
    return fail('not_found', `The folder ${spec.cwd} does not exist.`, {
      where: { file: spec.cwd },
      mend: 'Create the folder again, or start the run again.',
    });
  }
  const refused = (error: Error) =>
    fail('unavailable', `${context.program} could not be started: ${error.message}`);
  try {
    const child = start(spec, context);
    const problem = await new Promise<Error | null>((resolve) => {
      child.once('spawn', () => resolve(null));
      child.once('error', resolve);
    });
    if (problem !== null || child.pid === undefined) return refused(problem ?? new Error('no process id'));
    return ok(new ManagedChild(child as ChildProcess & { readonly pid: number }, spec, context.mark));
  } catch (error) {
    // spawn throws immediately on arguments that no program could receive, such as a zero byte.
    return refused(error as Error);
  }
}
