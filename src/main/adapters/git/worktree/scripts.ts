import { join } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import { shownText } from '@contract/whole-text';
import type { CommandPort, CommandResult, CommandSpec } from '../../../core/ports/ports';
import type { WorkspaceRun } from '../../../core/ports/workspaces/workspaces';
import { WORKTREE_SCRIPT_SECONDS } from '../../../limits/core';

/** Runs a shell command under a guard, so that it ends with Muster, or earlier when no longer wanted. */
export type RunScript = (
  spec: Pick<CommandSpec, 'script' | 'cwd' | 'env' | 'timeoutSeconds' | 'outputPath' | 'joinsErrors'> &
    Pick<WorkspaceRun, 'unwanted'>,
) => Promise<Pick<CommandResult, 'outcome' | 'exitCode' | 'output' | 'error'>>;

/** Scripts run as commands without a step, and hence without a number. */
export const scriptsOver =
  (commands: Pick<CommandPort, 'run'>): RunScript =>
  ({ unwanted, ...spec }) => {
    const running = commands.run({ ...spec, runId: 0, commandId: 0, terminal: false });
    void unwanted?.then(() => running.kill('cancelled'));
    return running.done;
  };

const LAST_LINES = 20;

/** Runs a worktree's setup or teardown command. Its whole output is stored in a file of the run. */
export async function runWorktreeScript(
  runScript: RunScript,
  run: WorkspaceRun,
  what: {
    readonly kind: 'setup' | 'teardown';
    readonly script: string;
    readonly path: string;
    readonly key: string | null;
  },
): Promise<Result<void>> {
  const outputPath = join(run.artifactsDir, 'worktree', `${what.kind}-${what.key ?? 'run'}.log`);
  const ended = await runScript({
    script: what.script,
    cwd: what.path,
    env: { MUSTER_PROJECT: run.projectPath, MUSTER_WORKSPACE: what.path, MUSTER_RUN: run.uid },
    timeoutSeconds: WORKTREE_SCRIPT_SECONDS[what.kind],
    outputPath,
    joinsErrors: true,
    ...(run.unwanted === undefined ? {} : { unwanted: run.unwanted }),
  });
  if (ended.outcome === 'exited' && ended.exitCode === 0) return ok(undefined);
  if (ended.outcome === 'cancelled')
    return fail('cancelled', `worktree.${what.kind} was ended in ${what.path}: the run was cancelled.`, {
      where: { file: outputPath, path: `worktree.${what.kind}` },
    });
  const how =
    ended.outcome === 'exited'
      ? `exit ${ended.exitCode}`
      : (ended.error?.message ?? ended.outcome.replaceAll('_', ' '));
  const tail = shownText(ended.output).trimEnd().split('\n').slice(-LAST_LINES).join('\n');
  return fail('workspace.failed', `worktree.${what.kind} failed in ${what.path}: ${how}\n${tail}`.trimEnd(), {
    where: { file: outputPath, path: `worktree.${what.kind}` },
    mend: 'Correct the command in the workflow, or install what it needs, and start again.',
  });
}
