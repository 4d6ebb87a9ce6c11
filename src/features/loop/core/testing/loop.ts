import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowDefinition } from '@areas/workflows/contract/definition';
import { ok } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';
import type { SentTurn } from '@main/core/engine/testing/fake-agents';
import { Harness } from '@main/core/engine/testing/harness';
import type { TurnResult } from '@main/core/ports/ports';
import type { AttemptPlace, LineReader, LoopPlace, Loops, PlanText, WorkerLogs } from '../../contract/ports';
import type { LoopState } from '../../contract/state';

interface PlannedStory {
  id: string;
  title: string;
  priority: number;
  passes: boolean;
}

/** A scripted worker's actions before it answers. */
export interface Deed {
  /** Stories that it marks as passing. */
  readonly pass?: readonly string[];
  readonly unpass?: readonly string[];
  /** Stories that it removes from prd.json. */
  readonly lose?: readonly string[];
  /** Subjects of its commits. */
  readonly commit?: readonly string[];
  readonly rewrite?: boolean;
  /** A branch that it checks out. */
  readonly branch?: string;
  readonly spoil?: string;
  readonly progress?: string;
  /** Lines of a Codex log that it writes itself. */
  readonly log?: readonly string[];
  readonly file?: string;
  readonly say?: string;
  readonly end?: Partial<TurnResult>;
  /** Never answers. */
  readonly hang?: boolean;
}

/** An in-memory checkout. */
class FakeCheckout implements Loops {
  stories: PlannedStory[] = [];
  plan: string | null = null;
  branch: string | null = 'main';
  head = 0;
  commits: { hash: string; subject: string }[] = [];
  rewritten = false;
  progress = '';
  messageLag = 0;
  /** No other branch can be checked out after an attempt. */
  sticks = false;
  readonly asked: string[] = [];
  readonly files = new Map<string, string>();

  text(): string | null {
    return (
      this.plan ??
      (this.stories.length === 0
        ? null
        : JSON.stringify({ branchName: 'ralph/x', userStories: this.stories }))
    );
  }

  async open(_place: LoopPlace, plan: PlanText) {
    this.asked.push('open');
    this.branch = plan.branchOf(this.text()) ?? this.branch;
    return ok({ text: this.text(), branch: this.branch, archived: null });
  }

  async prepare(
    _place: LoopPlace,
    { iteration, retry, branch }: { iteration: number; retry: number; branch: string | null },
  ) {
    this.asked.push(`prepare ${iteration} ${retry}`);
    this.branch = branch;
    this.files.delete(`${iteration}`);
    this.files.delete(`${iteration}.jsonl`);
    return ok({
      head: String(this.head),
      text: this.text(),
      progressBytes: this.progress.length,
      progressHash: '',
    });
  }

  async examine(
    _place: LoopPlace,
    { iteration, before, branch: own = null }: AttemptPlace,
    { logs, reader }: { logs: WorkerLogs | null; reader: LineReader },
  ) {
    this.asked.push(`examine ${iteration}`);
    for (const line of (this.files.get(`${iteration}.jsonl`) ?? '').split('\n')) reader.line(line);
    logs?.jsonl();
    const from = Number(before.head ?? '0');
    const { branch } = this;
    const left = own !== null && own !== branch;
    if (left && !this.sticks) this.branch = own;
    return ok({
      head: String(this.head),
      text: this.text(),
      rewritten: this.rewritten,
      commits: this.commits.slice(from),
      progress: this.progress.slice(before.progressBytes),
      progressBytes: this.progress.length,
      progressHash: '',
      message: this.files.get(`${iteration}`) ?? null,
      messageLag: this.messageLag,
      untold: [],
      branch,
      ...(left ? { putBack: !this.sticks } : {}),
    });
  }

  present() {
    const head = String(this.head);
    return { head, text: this.text(), progressBytes: this.progress.length, progressHash: '' };
  }

  async look() {
    return ok(this.present());
  }

  begun: Loops['begun'] = async () => ok({ ...this.present(), untold: [] });

  async follow(): Promise<() => void> {
    return () => undefined;
  }

  logs: Loops['logs'] = async () => ok([]);

  do(deed: Deed, iteration: number): void {
    for (const story of this.stories) {
      if (deed.pass?.includes(story.id)) story.passes = true;
      if (deed.unpass?.includes(story.id)) story.passes = false;
    }
    this.stories = this.stories.filter(({ id }) => !deed.lose?.includes(id));
    for (const subject of deed.commit ?? []) {
      this.head += 1;
      this.commits.push({ hash: `c${this.head}`, subject });
    }
    if (deed.rewrite) this.rewritten = true;
    this.branch = deed.branch ?? this.branch;
    if (deed.spoil !== undefined) this.plan = deed.spoil;
    this.progress += deed.progress ?? '';
    if (deed.log) this.files.set(`${iteration}.jsonl`, deed.log.join('\n'));
    if (deed.file !== undefined) this.files.set(`${iteration}`, deed.file);
  }
}

const workerText = readFileSync(
  join(import.meta.dirname, '../../../../../resources/prompts/loop/ralph-worker.md'),
  'utf8',
);
export const prompts = { 'loop/ralph-worker': workerText };

/**
 * A run with one loop over an in-memory checkout, and workers that follow the test's script, one entry per
 * attempt.
 */
export class LoopHarness extends Harness {
  readonly checkout = new FakeCheckout();
  deeds: Deed[] = [];
  readonly worked: number[] = [];

  constructor(ids: readonly string[] = ['US-001', 'US-002', 'US-003']) {
    super();
    this.checkout.stories = ids.map((id, index) => ({
      id,
      title: `Title ${id}`,
      priority: index + 1,
      passes: false,
    }));
    this.loops = this.checkout;
    this.agents.answer = (turn) => this.answer1(turn);
  }

  private answer1(turn: SentTurn): Partial<TurnResult> | null {
    const log = /codex-iteration-(\d+)$/.exec(turn.spec.env.MUSTER_LOOP_LOG ?? '')?.[1];
    const iteration = Number(log);
    this.worked.push(iteration);
    const deed = this.deeds.shift() ?? { say: 'nothing to do' };
    this.checkout.do(deed, iteration);
    if (deed.hang) return null;
    return { response: deed.say ?? '', ...deed.end };
  }

  async loop(
    config: Record<string, unknown> = {},
    more: Record<string, unknown> = {},
    run: Partial<Pick<WorkflowDefinition, 'budget'>> = {},
  ): Promise<void> {
    const step = { id: 'ralph', type: 'step.ralph', ...more };
    await this.run(
      {
        ...run,
        steps: [{ ...step, config: { worker: { acp_profile_id: 'fake' }, iterations: 5, ...config } }],
      },
      { prompts },
    );
  }

  get state1(): LoopState {
    const loop = this.state().loops[1];
    if (loop === undefined) throw new Error('no loop');
    return loop;
  }

  updates(): RunEventOf<'update.posted'>[] {
    return this.events().filter((event) => event.type === 'update.posted');
  }

  /** `1 completed US-001` for each update. */
  results(): string[] {
    return this.updates().map(({ update: { iteration, retry, result, story } }) =>
      [iteration, ...(retry > 0 ? [`r${retry}`] : []), result, story?.id ?? 'unknown'].join(' '),
    );
  }

  async pause(): Promise<void> {
    await this.engine.command(1, () => ok([{ type: 'loop.pause-requested', activationId: 1, by: 'test' }]));
    await this.idle();
  }

  async resume(text?: string): Promise<void> {
    const more = text === undefined ? {} : { text };
    await this.engine.command(1, () =>
      ok([{ type: 'run.resumed', by: 'test', activationIds: [1], ...more }]),
    );
    await this.idle();
  }

  openGate() {
    return Object.values(this.state().gates).find((gate) => gate.status === 'open') ?? null;
  }
}

export const passed = (id: string): Deed => ({
  pass: [id],
  commit: [`feat: [${id}] - Title ${id}`],
  say: `Did ${id}.\nResult: completed`,
});
export const failing: Deed = { say: 'The tests still fail.\nResult: failed' };
