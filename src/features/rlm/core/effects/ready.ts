import { err, ok, type Result } from '@contract/result';
import type { ExecResult, SubAnswer, SubPrompt } from '@contract/sandbox/protocol';
import type { DocumentText, Sandbox } from '@main/core/ports/programs/sandbox';
import type { BlockState, RlmState } from '../../contract/state';
import { type LiveRepl, liveRepl, untilOver } from './live-repl';
import { cancelled, stateOf, type Work } from './parts';
import { subPrompt } from './sub-prompt';

/**
 * Returns a sandbox with the documents and the variables of all finished blocks. A lost sandbox is replaced
 * by a new one, which repeats the recorded blocks with their recorded answers. If an output differs, the
 * variables are given up, which is committed.
 */
export async function readySandbox(work: Work, turnId: number | null): Promise<Result<Sandbox>> {
  const live = liveRepl(work.parts.sandboxes, work.run, work.activationId);
  if (live.sandbox?.alive === true) return ok(live.sandbox);
  const started = await startWithDocuments(work, live);
  if (!started.ok) return started;
  const { confinement } = started.value;
  const { run, activationId, parts } = work;
  await parts.engine.report(run, [{ type: 'rlm.sandbox-started', activationId, confined: confinement }]);
  const blocks = blocksToRepeat(stateOf(work));
  if (blocks.length === 0 || turnId === null) return started;
  if (blocks.every(canRepeat) && (await repeated(work, started.value, blocks))) return started;
  await started.value.stop();
  const fresh = await startWithDocuments(work, live);
  if (fresh.ok) await parts.engine.report(run, [{ type: 'rlm.variables-lost', activationId, turnId }]);
  return fresh;
}

/** Finished blocks whose variables the REPL should hold. */
const blocksToRepeat = ({ blocks, variablesFrom }: RlmState): BlockState[] =>
  blocks.slice(variablesFrom).filter(({ end }) => end !== null);

/** A block ended by an interrupt is not repeatable: its end depended on timing. */
const canRepeat = ({ end }: BlockState): boolean =>
  end?.kind === 'finished' && !end.timedOut && !end.result.interrupted;

async function startWithDocuments(work: Work, live: LiveRepl): Promise<Result<Sandbox>> {
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
  live.sandbox = started.value;
  live.over.onCancel(() => void started.value.stop());
  const { fixed } = stateOf(work);
  if (fixed !== null) await started.value.fix(fixed);
  const paths = (stateOf(work).documents ?? []).map(({ path }) => path);
  const given = await started.value.setContext(documentTexts(work, paths)).catch((cause: unknown) => {
    if (cause instanceof UnreadableText) return cause.result;
    throw cause;
  });
  if (given.ok) return run.state.status === 'cancelling' ? err(cancelled()) : started;
  await started.value.stop();
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
async function repeated(work: Work, sandbox: Sandbox, blocks: readonly BlockState[]): Promise<boolean> {
  for (const block of blocks) {
    if (block.end?.kind !== 'finished') return false;
    const answers = new RecordedAnswers(work, block);
    const end = await sandbox.exec(block.code, {
      seconds: work.config.limits.block_seconds,
      ask: (prompts) => answers.next(prompts),
    });
    if (end.kind === 'lost' || !answers.allTaken || end.timedOut) return false;
    if (!isSame(end.result, block.end.result)) return false;
  }
  return true;
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
