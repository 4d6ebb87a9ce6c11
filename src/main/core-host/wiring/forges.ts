import { homedir } from 'node:os';
import { FORGE_LOGIN_MS } from '@areas/forges/contract/limits';
import { type OpenForges, openForges } from '@areas/forges/node/services';
import { taskDefinition } from '@areas/runs/node/launch/task-run';
import type { RunResults } from '@areas/runs/node/results/run-results';
import type { RunService } from '@areas/runs/node/run-service';
import { responseOf } from '@areas/sessions/contract/response';
import type { SessionOperations } from '@areas/sessions/node/session-operations';
import { messageOf } from '@contract/error-message';
import { fail, ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import { SECOND_MS } from '@contract/time-units';
import { Git, GitError } from '../../adapters/git/command/git-command';
import { runTextCommand } from '../../adapters/process/commands/text-command';
import { ulids } from '../../adapters/system/ids';
import type { ServiceParts } from './service-parts';

interface Made {
  readonly runs: RunService;
  readonly results: RunResults;
  readonly operations: SessionOperations;
  state(runId: number): RunState | null;
}

/** Issues and pull requests, on the services of runs and sessions. */
export function createForges(parts: ServiceParts, { runs, results, operations, state }: Made): OpenForges {
  const { adapters, secret, publisher } = parts;
  const { store, clock, git, processes, transcripts } = adapters;
  const forges = openForges({
    store,
    clock,
    secret,
    state,
    newKey: ulids.ulid,
    results: (runId) => results.results(runId),
    answer: (run) => {
      const turn = Object.values(run.turns).at(-1);
      if (turn === undefined) return null;
      const { response: text } = responseOf(
        transcripts.turn(run, { sessionId: turn.sessionId, turnId: turn.id }),
      );
      return text.trim() === '' ? null : text;
    },
    git: (cwd, ...args) => gitText(new Git(cwd, git), args),
    program: async (name, args) => {
      const ran = await runTextCommand(processes, {
        script: [name, ...args].join(' '),
        cwd: homedir(),
        env: {},
        text: '',
        seconds: FORGE_LOGIN_MS / SECOND_MS,
        owner: 'forge',
        cut: new Promise(() => undefined),
      });
      return ran.ok ? ran.value : null;
    },
    once: (uid, start) => runs.once(uid, start),
    startTask: (input) => runs.startDefinition({ ...input, definition: taskDefinition(input) }),
    prompt: (input) => results.goingOn(input.runId, () => operations.prompt({ ...input, attachments: [] })),
    changed: () => {
      publisher.changed('pulls');
      publisher.changed('attention');
    },
  });
  publisher.onCommitted((runId, events) => {
    if (events.some(({ event }) => event.type === 'run.finished')) forges.ended(runId);
  });
  return forges;
}

async function gitText(git: Git, args: readonly string[]): Promise<Result<string>> {
  try {
    return ok(await git.text(...args));
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    return fail('workspace.failed', `git ${args[0] ?? ''} failed: ${messageOf(error)}`, {
      mend: 'Check that git can reach the remote with your own login.',
    });
  }
}
