import { messageOf } from '@contract/error-message';
import type { StoredEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import type { Logger } from '@main/core/ports/ports';
import type { StatusService } from '../status-service';
import { madeIn } from './run-results';

interface LeftProcessesParts {
  readonly processes: {
    endForsaken(
      folders: readonly string[],
    ): Promise<readonly { readonly pid: number; readonly command: string }[]>;
  };
  readonly logger: Pick<Logger, 'warn'>;
  readonly status: Pick<StatusService, 'notice'>;
  state(runId: number): RunState | null;
}

const MOST_NAMED = 5;
const MOST_CHARS = 80;

/** Ends what agents left in the folders of a run that has ended, and says so. */
export class LeftProcesses {
  constructor(private readonly parts: LeftProcessesParts) {}

  follow(runId: number, events: readonly StoredEvent[]): void {
    if (!events.some(({ event }) => event.type === 'run.finished')) return;
    this.end(runId).catch((cause: unknown) =>
      this.parts.logger.warn('the processes in a run\u2019s folders could not be looked at', {
        runId,
        why: messageOf(cause),
      }),
    );
  }

  async end(runId: number): Promise<void> {
    const { processes, status, state } = this.parts;
    const run = state(runId);
    // Programs in the operator's own checkout may be the operator's.
    if (run === null || run.workspaceMode === 'project') return;
    const ended = await processes.endForsaken(madeIn(run).map(({ path }) => path));
    if (ended.length === 0) return;
    const named = ended
      .slice(0, MOST_NAMED)
      .map(({ pid, command }) => `${command.slice(0, MOST_CHARS)} (${pid})`);
    const more = ended.length > MOST_NAMED ? ` and ${ended.length - MOST_NAMED} more` : '';
    const what = ended.length === 1 ? 'a process that' : `${ended.length} processes that`;
    const text = `Ended ${what} run ${runId} had left in its folder: ${named.join(', ')}${more}.`;
    status.notice({ id: `left-${runId}`, level: 'info', text });
  }
}
