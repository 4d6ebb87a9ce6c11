import type { GateRow } from '@areas/gates/contract/procedures';
import type { CoreProcess } from './core-process';
import type { Random } from './random';
import type { Witness } from './witness';

interface OperatorParts {
  readonly witness: Witness;
  readonly random: Random;
  readonly project: string;
  /** How many runs are kept going, and of which files, one after the other. */
  readonly runs: number;
  readonly files: readonly string[];
}

/** What the next kill is aimed at: a workflow to start for it, and whether approvals are to be rejected. */
interface Aim {
  readonly file: string | null;
  readonly rejects: boolean;
}
const NO_AIM: Aim = { file: null, rejects: false };

type Answerable = Pick<GateRow, 'runId' | 'gateId' | 'kind' | 'options'>;

/** So often a run is resumed that failed. */
const MOST_RESUMES = 30;

const wordsFor = (option: string): { reason?: string; text?: string } =>
  option === 'reject' ? { reason: 'Not yet.' } : option === 'answer' ? { text: 'Say more.' } : {};

/** Starts runs and answers gates, some at once, some late, some only in another life of the core. */
export class Operator {
  private projectId: number | null = null;
  private started = 0;
  private readonly live = new Set<number>();
  /** What has been heard of runs since the list was asked for: it may be newer than what the list says of them. */
  private heard = new Set<number>();
  private patient = true;
  private readonly resumes = new Map<number, number>();
  private aim = NO_AIM;
  settled = 0;
  /** Answers that came too late. */
  readonly refused: string[] = [];

  constructor(private readonly parts: OperatorParts) {}

  /** How often runs that failed were resumed. */
  get resumed(): number {
    return [...this.resumes.values()].reduce((sum, times) => sum + times, 0);
  }

  get runsStarted(): number {
    return this.started;
  }

  get runsLive(): number {
    return this.live.size;
  }

  /** From now on no run is started and every gate is answered. */
  hurry(): void {
    this.patient = false;
  }

  /** Until it is asked again. */
  aimAt(aim: Aim = NO_AIM): void {
    this.aim = aim;
  }

  began(runId: number): void {
    this.live.add(runId);
    this.heard.add(runId);
  }

  /** A run that failed because an agent or a git of it was killed is resumed. */
  failed(core: CoreProcess, runId: number): void {
    const times = this.resumes.get(runId) ?? 0;
    if (times >= MOST_RESUMES) return this.ended(runId);
    this.resumes.set(runId, times + 1);
    setTimeout(() => {
      if (!core.alive) return;
      core
        .call('run.resume', { runId, by: 'durability' })
        .catch((error: unknown) => this.refused.push(`resume of ${runId}: ${String(error)}`));
    }, 50);
  }

  /** Changes of a checkout that a killed git left half done: finished or rolled back, by chance. */
  async settle(core: CoreProcess): Promise<void> {
    for (const { id, running } of await core.call('checkout.interrupted', {})) {
      if (running) continue;
      const how = this.parts.random.pick(['finish', 'roll_back'] as const);
      try {
        await core.call('checkout.settle', { id, how });
        this.settled += 1;
      } catch (error) {
        this.refused.push(`settling of a checkout: ${String(error)}`);
      }
    }
  }

  ended(runId: number): void {
    this.live.delete(runId);
    this.heard.add(runId);
  }

  async topUp(core: CoreProcess): Promise<void> {
    this.projectId ??= (await core.call('project.add', { path: this.parts.project })).id;
    const { projectId } = this;
    const start = (file: string) => core.call('run.start', { projectId, file, startedBy: 'durability' });
    if (this.aim.file !== null && this.patient) await start(this.aim.file);
    for (let missing = this.parts.runs - this.live.size; missing > 0 && this.patient; missing -= 1) {
      const { files } = this.parts;
      const file = files[this.started % files.length] ?? '';
      this.started += 1;
      await start(file);
    }
  }

  /** What was begun, opened again or ended without a word reaching the operator. */
  async catchUp(core: CoreProcess): Promise<void> {
    this.heard = new Set();
    const { rows } = await core.call('run.list', { limit: 500 });
    for (const { id, outcome, finishedAt } of rows) {
      if (outcome === 'failed') this.failed(core, id);
      else if (this.heard.has(id)) continue;
      else if (finishedAt === null) this.live.add(id);
      else this.live.delete(id);
    }
  }

  gateOpened(core: CoreProcess, gate: Answerable): void {
    const { random } = this.parts;
    // Merges are decided file by file, by the one who speaks with the team.
    if (gate.kind === 'merge') return;
    const { rejects } = this.aim;
    if (this.patient && !rejects && random.chance(0.35)) return;
    const pause = this.patient && !rejects ? random.below(400) : 0;
    const option = this.optionFor(gate);
    setTimeout(() => void this.answer(core, gate, option), pause);
  }

  private optionFor({ kind, options }: Answerable): string {
    const { random } = this.parts;
    // A loop asks what the next pass should do; once nothing more is started it is to end.
    if (options.some(({ id }) => id === 'finish'))
      return this.patient ? random.pick(['answer', 'again', 'finish']) : 'finish';
    if (kind === 'approval' && this.patient && this.aim.rejects) return 'reject';
    if (kind === 'approval') return random.chance(this.patient ? 0.75 : 1) ? 'approve' : 'reject';
    return random.pick(options.filter(({ tone }) => tone !== 'reject')).id;
  }

  private async answer(core: CoreProcess, gate: Answerable, option: string): Promise<void> {
    if (!core.alive) return;
    const { runId, gateId } = gate;
    this.parts.witness.answering(gate);
    const answer = { option, ...wordsFor(option) };
    try {
      await core.call('gate.resolve', { runId, gateId, answer, by: 'durability' });
      this.parts.witness.answerTaken(gate);
    } catch (error) {
      // Another gate's answer may have ended the run meanwhile.
      this.refused.push(String(error));
    }
  }
}
