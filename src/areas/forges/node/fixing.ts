import { ownValue } from '@contract/own';
import { fail, ok, type Result } from '@contract/result';
import type { RunState } from '@contract/run/state';
import { FIX_ROUND_MS } from '../contract/limits';
import type { PullRecord } from '../contract/pull';
import { checksKey, checksState, conflictKey } from '../contract/verdict';
import { fixPrompt } from '../core/fix-prompt';
import type { Pulls } from './pulls';
import type { ForgeRecords } from './records';

interface FixingParts {
  readonly records: ForgeRecords;
  readonly pulls: Pick<Pulls, 'refresh' | 'push' | 'resultCommit'>;
  state(runId: number): RunState | null;
  /** Queues a prompt once per key, reopening the run. */
  prompt(input: { runId: number; sessionId: number; key: string; text: string }): Promise<Result<unknown>>;
  now(): number;
  newKey(): string;
}

const NOTHING = 'Nothing is to be fixed: no check failed, and there are no new comments.';

/** Sends failed checks and comments to the agent, once or until the checks pass. */
export class Fixing {
  readonly #advancing = new Set<number>();

  constructor(private readonly parts: FixingParts) {}

  async preview(runId: number): Promise<Result<{ prompt: string }>> {
    const read = await this.parts.pulls.refresh(runId);
    if (!read.ok) return read;
    const made = read.value.view === null ? null : fixPrompt(read.value.view, read.value.handled);
    return made === null ? fail('not_found', NOTHING) : ok({ prompt: made.prompt });
  }

  async fix(runId: number, wish: { key: string | undefined; rounds: number }): Promise<Result<PullRecord>> {
    const read = await this.parts.pulls.refresh(runId);
    if (!read.ok) return read;
    const record = read.value;
    if (record.state !== 'open') return fail('conflict', 'The pull request is not open.');
    if (record.fix !== null && record.fix.ended === null)
      return fail('conflict', 'A loop is working on it already.', { mend: 'Stop it first.' });
    const key = wish.key ?? this.parts.newKey();
    if (wish.rounds === 0) return this.#send(record, key);
    const { now } = this.parts;
    this.parts.records.change(runId, () => ({
      fix: { round: 1, of: wish.rounds, key, sent: false, at: now(), ended: null },
    }));
    await this.advance(runId);
    const after = this.parts.records.of(runId) ?? record;
    return ok(after);
  }

  stop(runId: number): Result<PullRecord> {
    const record = this.#end(runId, 'You stopped it.');
    return record === null ? fail('not_found', 'No loop is working on it.') : ok(record);
  }

  /** Takes the next step of a loop, if it is time: called whenever the run or the pull request has changed. */
  async advance(runId: number): Promise<void> {
    if (this.#advancing.has(runId)) return;
    this.#advancing.add(runId);
    try {
      await this.#advance(runId);
    } finally {
      this.#advancing.delete(runId);
    }
  }

  async #advance(runId: number): Promise<void> {
    const record = this.parts.records.of(runId);
    if (record === null || record.fix === null || record.fix.ended !== null) return;
    const { fix, view } = record;
    if (record.state !== 'open' || view === null)
      return void this.#end(runId, 'The pull request is not open any more.');
    if (this.parts.now() > fix.at + FIX_ROUND_MS) return void this.#end(runId, 'A round took too long.');
    if (!fix.sent) {
      const sent = await this.#send(record, fix.key);
      if (sent.ok) this.parts.records.change(runId, () => ({ fix: { ...fix, sent: true } }));
      else this.#end(runId, sent.error.message);
      return;
    }
    // Only work after this round's prompt counts: its run was reopened by then.
    const state = this.parts.state(runId);
    if (state === null || state.status !== 'finished' || !isAnswered(state, fix.key)) return;
    const commit = await this.parts.pulls.resultCommit(runId);
    if (commit === null) return;
    if (commit !== record.result) {
      const pushed = await this.parts.pulls.push(runId, commit);
      if (!pushed.ok) this.#end(runId, pushed.error.message);
      return;
    }
    if (view.head.commit !== record.commit) return;
    const checks = checksState(view);
    // Checks appear some time after a push.
    if (checks === 'pending' || checks === 'none') return;
    if (checks === 'passed' && fixPrompt(view, record.handled) === null)
      return void this.#end(runId, 'The checks pass.');
    if (fix.round >= fix.of)
      return void this.#end(runId, `It is not ready after ${fix.of} ${fix.of === 1 ? 'round' : 'rounds'}.`);
    const { now, newKey } = this.parts;
    this.parts.records.change(runId, () => ({
      fix: { ...fix, round: fix.round + 1, key: newKey(), sent: false, at: now() },
    }));
    await this.#advance(runId);
  }

  async #send(record: PullRecord, key: string): Promise<Result<PullRecord>> {
    const { runId, view, handled } = record;
    const made = view === null ? null : fixPrompt(view, handled);
    if (made === null) return fail('not_found', NOTHING);
    const state = this.parts.state(runId);
    const sessionId = state === null ? null : sessionOf(state);
    if (sessionId === null)
      return fail('conflict', 'The run has no session that could take a prompt.', {
        mend: 'Start new work on it.',
      });
    const sent = await this.parts.prompt({ runId, sessionId, key, text: made.prompt });
    if (!sent.ok) return sent;
    return ok(
      this.parts.records.change(runId, (now) => ({
        handled: [...now.handled, ...made.handled, ...checksKeys(record)].slice(-2_000),
      })) ?? record,
    );
  }

  #end(runId: number, why: string): PullRecord | null {
    const { fix = null } = this.parts.records.of(runId) ?? {};
    if (fix === null || fix.ended !== null) return null;
    return this.parts.records.change(runId, () => ({ fix: { ...fix, ended: why } }));
  }
}

/** What was sent to the agent needs the operator no more. */
const checksKeys = ({ view }: PullRecord): string[] => {
  if (view === null) return [];
  const failed = view.checks.some(({ state }) => state === 'failed') ? [checksKey(view)] : [];
  return view.conflict === 'conflict' ? [conflictKey(view), ...failed] : failed;
};

/** The prompt with this key was sent, and its turn has ended. */
function isAnswered(state: RunState, key: string): boolean {
  const answer = ownValue(state.answers, key);
  const prompt = answer !== undefined && 'promptId' in answer ? state.prompts[answer.promptId] : undefined;
  const turn = state.turns[prompt?.turnId ?? 0];
  return turn !== undefined && turn.status !== 'in_flight';
}

/** The session that made the result: the last one that had a turn. */
function sessionOf(state: RunState): number | null {
  const last = Object.values(state.turns).at(-1)?.sessionId;
  return last ?? null;
}
