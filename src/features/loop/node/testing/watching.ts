import { ok } from '@contract/result';
import type { SeenProcess } from '@main/core/ports/programs/process';
import type { FoundLog } from '../../contract/ports';
import { LoopHarness } from '../../core/testing/loop';
import { RalphWatch } from '../watch';

export const DONE = '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}';

/** A ralph.sh process in the harness's project. */
export const ralphSh = (pid: number, n = '7'): SeenProcess => ({
  pid,
  parent: 1,
  args: ['bash', './ralph.sh', n],
  cwd: '/project',
  startedAt: 5,
  mark: `t${pid}`,
});

/** A simulated ralph.sh: its logs, and whether its process is alive. */
export class Watching extends LoopHarness {
  found: FoundLog[] = [];
  processes: SeenProcess[] | null = [ralphSh(9)];
  time = 0;
  warnings: string[] = [];
  watch = this.newWatch();

  newWatch(): RalphWatch {
    this.checkout.logs = async () => ok([...this.found]);
    return new RalphWatch({
      engine: { all: () => this.engine.all(), command: (...asked) => this.engine.command(...asked) },
      loops: this.checkout,
      runs: { startDefinition: async () => ok({ runId: 1 }) },
      logger: { warn: (_message, detail) => this.warnings.push(String(detail?.cause)) },
      processes: {
        all: async () => this.processes,
        one: async (pid) =>
          this.processes === null ? null : (this.processes.find((one) => one.pid === pid) ?? 'gone'),
      },
      now: () => this.time,
    });
  }

  async open(pid: number | null = 9): Promise<void> {
    await this.loop({ watch: { pid }, worker: {} });
    await this.look();
  }

  async look(times = 3): Promise<void> {
    for (let i = 0; i < times; i += 1) {
      this.time += 2_000;
      await this.watch.look();
      await this.idle();
    }
  }

  lay(iteration: number, mark: string, ended = true): void {
    const log = { iteration, mark, ended, writtenAt: this.clock.now() };
    const others = this.found.filter((one) => one.iteration !== iteration);
    this.found = [...others, log].sort((one, other) => one.iteration - other.iteration);
    this.checkout.files.set(`${iteration}.jsonl`, ended ? DONE : '{"type":"turn.started"}');
  }
}
