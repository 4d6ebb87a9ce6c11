import type { Killed } from './blame';
import type { CoreProcess } from './core-process';
import type { Random } from './random';
import { type Part, sessionOf, victims } from './victims';

const PARTS: readonly Part[] = ['terminal host', 'guard', 'guard', 'agent', 'git', 'git'];
/** Milliseconds to wait for something that can be killed. */
const VICTIM_MS = 300;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Kills with -9 some of what works for a core that continues. */
export class PartKiller {
  readonly killed: Killed[] = [];
  readonly counts: Record<Part, number> = { 'terminal host': 0, guard: 0, agent: 0, git: 0 };
  /** Runs of teams, by their uid: there a member whose agent is killed is out for good. */
  readonly teams = new Set<string>();

  constructor(
    private readonly random: Random,
    private readonly terminals: () => number,
  ) {}

  async kill(core: CoreProcess): Promise<void> {
    for (let left = this.random.below(4); left > 0 && core.running; left -= 1) {
      const part = this.random.pick(PARTS);
      const pid = await this.victim(part, core);
      if (pid !== null) this.end(part, pid);
      await Promise.race([sleep(this.random.below(900)), core.gone]);
    }
  }

  private end(part: Part, pid: number): void {
    const session = sessionOf(pid);
    if (part === 'agent' && this.teams.has(session?.split('/')[0] ?? '')) return;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has just ended by itself.
      return;
    }
    this.counts[part] += 1;
    this.killed.push({ part, session, at: Date.now() });
  }

  /** Some of them live for milliseconds only: they are waited for. */
  private async victim(part: Part, core: CoreProcess): Promise<number | null> {
    for (const until = performance.now() + VICTIM_MS; core.running && performance.now() < until; ) {
      const found = victims(part, { core: core.pid, terminals: this.terminals() });
      if (found.length > 0) return this.random.pick(found);
      await sleep(3);
    }
    return null;
  }
}
