import { err, fail, ok, type Result } from '@contract/result';
import type { ExecResult, SubAnswer, SubPrompt } from '@contract/sandbox/protocol';
import type { DocumentText, Sandbox } from '@main/core/ports/programs/sandbox';
import type { BlockState, RlmState } from '../../contract/state';
import { isDeath } from '../dead-sandbox';
import { type LiveRepl, liveRepl, untilOver } from './live-repl';
import { cancelled, stateOf, type Work } from './parts';
import { subPrompt } from './sub-prompt';

/** A sandbox that dies before any code ran in it is started this often. */
const MOST_STARTS = 3;
/** A sandbox that dies while it repeats blocks is started again this often before the variables are given up. */
const MOST_REBUILDS = 2;

/**
 * Returns a sandbox with the documents and the variables of all finished blocks. A sandbox that is gone is
 * replaced.
 */
export async function readySandbox(work: Work, turnId: number | null): Promise<Result<Sandbox>> {
  const live = liveRepl(work.parts.sandboxes, work.run, work.activationId);
  return live.sandbox?.alive === true ? ok(live.sandbox) : newSandbox(work, { turnId, rebuild: true });
}

interface Wanted {
  /** The turn whose model is told if the variables are given up; null before the first. */
  readonly turnId: number | null;
  readonly rebuild: boolean;
}

/**
 * Starts a sandbox, which repeats the finished blocks with their recorded answers. If a block behaves
 * differently, or with `rebuild` off, the variables are given up, which is committed.
 */
export async function newSandbox(work: Work, { turnId, rebuild }: Wanted): Promise<Result<Sandbox>> {
  const { run, activationId, parts } = work;
  const live = liveRepl(parts.sandboxes, run, activationId);
  for (let left = rebuild ? MOST_REBUILDS : 0; ; ) {
    const started = await startWithDocuments(work, live);
    if (!started.ok) return started;
    const confined = started.value.confinement;
    await parts.engine.report(run, [{ type: 'rlm.sandbox-started', activationId, confined }]);
    const blocks = blocksToRepeat(stateOf(work));
    if (blocks.length === 0 || turnId === null) return started;
    if (left === 0) {
      await parts.engine.report(run, [{ type: 'rlm.variables-lost', activationId, turnId }]);
      return started;
    }
    if (await repeated(work, live, blocks)) return started;
    // A death says nothing about the blocks; a difference does.
    left = hasDied(started.value, live) ? left - 1 : 0;
    await started.value.stop();
  }
}

async function startWithDocuments(work: Work, live: LiveRepl): Promise<Result<Sandbox>> {
  for (let left = MOST_STARTS; left > 0; left -= 1) {
    const started = await startOnce(work, live);
    if (started !== 'died') return started;
  }
  return fail('unavailable', `The sandbox died ${MOST_STARTS} times before it was ready.`, {
    mend: 'Resume the run to try again.',
  });
}

const hasDied = ({ lost }: Sandbox, { over }: LiveRepl): boolean =>
  !over.cancelled && lost !== null && isDeath(lost);

/** Finished blocks whose variables the REPL should hold. A lost block left none. */
const blocksToRepeat = ({ blocks, variablesFrom }: RlmState): BlockState[] =>
  blocks.slice(variablesFrom).filter(({ end }) => end?.kind === 'finished');

/** A block ended by an interrupt is not repeatable: its end depended on timing. */
const canRepeat = ({ end }: BlockState): boolean =>
  end?.kind === 'finished' && !end.timedOut && !end.result.interrupted;

async function startOnce(work: Work, live: LiveRepl): Promise<Result<Sandbox> | 'died'> {
  const { parts, config, run } = work;
  const { limits, allow_weak_sandbox: allowWeak } = config;
  const starting = parts.sandboxes.start({
    outputChars: limits.output_chars,
    subcallChars: limits.subcall_chars,
    batchSize: limits.batch_size,
    memoryMb: limits.memory_mb,
    allowWeak,
  });
  const started = await untilOver(live, starting);
  if (started === null) {
    void starting.then((late) => (late.ok ? late.value.stop() : undefined));
    return err(cancelled());
  }
  if (!started.ok) return started;
  const sandbox = started.value;
  live.sandbox = sandbox;
  live.over.onCancel(() => void sandbox.stop());
  const { fixed } = stateOf(work);
  if (fixed !== null) await sandbox.fix(fixed);
  const paths = (stateOf(work).documents ?? []).map(({ path }) => path);
  const given = await sandbox.setContext(documentTexts(work, paths)).catch((cause: unknown) => {
    if (cause instanceof UnreadableText) return cause.result;
    throw cause;
  });
  if (given.ok) return run.state.status === 'cancelling' ? err(cancelled()) : started;
  const died = hasDied(sandbox, live);
  await sandbox.stop();
  if (died) return 'died';
  return live.over.cancelled ? err(cancelled()) : given;
}

/** A generator can only end with an error by throwing. */
class UnreadableText extends Error {
  constructor(readonly result: Result<never>) {
    super('a document cannot be read');
  }
}

async function* documentTexts(work: Work, paths: readonly string[]): AsyncGenerator<DocumentText> {
  for (const path of paths) yield piecesOf(work, path);
}

async function* piecesOf({ parts, run }: Work, path: string): AsyncGenerator<string> {
  for await (const piece of parts.texts.pieces(run.state.artifactsDir, path)) {
    if (!piece.ok) throw new UnreadableText(piece);
    yield piece.value;
  }
}

/** Repeats recorded blocks. False if one behaves differently than before. */
async function repeated(work: Work, live: LiveRepl, blocks: readonly BlockState[]): Promise<boolean> {
  const { sandbox } = live;
  if (sandbox === null || !blocks.every(canRepeat)) return false;
  live.repeating = true;
  try {
    for (const block of blocks) if (!(await isRepeated(work, sandbox, block))) return false;
    return true;
  } finally {
    live.repeating = false;
  }
}

async function isRepeated(work: Work, sandbox: Sandbox, block: BlockState): Promise<boolean> {
  if (block.end?.kind !== 'finished') return false;
  const answers = new RecordedAnswers(work, block);
  const end = await sandbox.exec(block.code, {
    seconds: work.config.limits.block_seconds,
    ask: (prompts) => answers.next(prompts),
  });
  if (end.kind === 'lost' || !answers.allTaken || end.timedOut) return false;
  return isSame(end.result, block.end.result);
}

/** Compares outputs and the fingerprint of the variables, which results of earlier versions lack. */
function isSame(
  { fingerprint, ...again }: ExecResult,
  { fingerprint: known, ...before }: ExecResult,
): boolean {
  if (known !== undefined && fingerprint !== known) return false;
  return JSON.stringify(again) === JSON.stringify(before);
}

/** A block's recorded answers, in request order; no model is asked again. */
class RecordedAnswers {
  #batch = 0;
  #differs = false;

  constructor(
    private readonly work: Work,
    private readonly block: BlockState,
  ) {}

  get allTaken(): boolean {
    return !this.#differs && this.#batch === this.block.batches.length;
  }

  async next(prompts: readonly SubPrompt[]): Promise<SubAnswer[]> {
    const calls = this.block.batches[this.#batch]?.calls ?? [];
    this.#batch += 1;
    const { texts } = this.work.parts;
    const same =
      calls.length === prompts.length &&
      prompts.every(
        (prompt, index) => texts.hash(subPrompt(this.work, prompt)) === calls[index]?.prompt.sha256,
      );
    if (!same) this.#differs = true;
    return Promise.all(
      prompts.map(async (_, index) => {
        const answer = same ? calls[index]?.answer : null;
        if (answer == null) return { ok: false, text: 'There is no recorded answer.' };
        const text = await texts.read(this.work.run.state.artifactsDir, answer.answer.path);
        if (!text.ok) this.#differs = true;
        return { ok: answer.ok, text: text.ok ? text.value : text.error.message };
      }),
    );
  }
}
