import type { SubAnswer, SubPrompt } from '@contract/sandbox/protocol';
import type { CallCancel } from '@main/core/ports/cancel';
import type { AnsweredCall, RlmEvent, StoredText } from '../../contract/events';
import type { BlockState, SubCall } from '../../contract/state';
import { callsOf } from '../sub-calls';
import { endCalls, type LiveRepl } from './live-repl';
import { keep, NO_TEXT, stateOf, type Work } from './parts';
import { subPrompt } from './sub-prompt';

type Block = Extract<RlmEvent, { type: 'rlm.block-started' }>;

/** Answers a block's sub-calls, batch by batch. Answers from before a crash are reused. */
export class BlockCalls {
  #batch = 0;
  /** Answers that the model has not seen: of this block, and of lost ones just before it, by the prompt's hash. */
  readonly #known = new Map<string, AnsweredCall[]>();
  #asking: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly work: Work,
    private readonly event: Block,
    private readonly live: LiveRepl,
  ) {
    const { blocks } = stateOf(this.work);
    const lost = blocks.slice(0, -1);
    const unseen = lost.slice(lost.findLastIndex(({ end }) => end?.kind !== 'lost') + 1);
    for (const { call } of [...unseen, this.#block()].flatMap(callsOf)) {
      if (call.answer?.ok !== true) continue;
      const { sha256 } = call.prompt;
      this.#known.set(sha256, [...(this.#known.get(sha256) ?? []), call.answer]);
    }
  }

  ask(prompts: readonly SubPrompt[], cancel: CallCancel): Promise<SubAnswer[]> {
    // Calls outlive a sandbox that died: the block may run again, and takes their answers.
    cancel.onCancel(() => void (this.live.sandbox?.alive === true && endCalls(this.live)));
    const asked = this.#ask(prompts, cancel);
    this.#asking = asked.catch(() => undefined);
    return asked;
  }

  /** Resolves when nothing more is committed by a cancelled question. */
  async settled(): Promise<void> {
    await this.#asking;
  }

  async #ask(prompts: readonly SubPrompt[], cancel: CallCancel): Promise<SubAnswer[]> {
    const batch = this.#batch;
    this.#batch += 1;
    const texts: StoredText[] = [];
    for (const prompt of prompts) {
      const stored = await keep(this.work, subPrompt(this.work, prompt), cancel);
      if (stored === null) return prompts.map(() => INTERRUPTED);
      texts.push(stored);
    }
    await this.#commit(batch, texts, cancel);
    await this.#allAnswered(batch, cancel);
    const { calls } = this.#block().batches[batch] ?? { calls: [] };
    const answers = await Promise.all(calls.map((call) => this.#textOf(call)));
    return prompts.map((_, index) => answers[index] ?? INTERRUPTED);
  }

  /** If the block asked the same before a crash, its batch is already in the log. */
  async #commit(batch: number, prompts: readonly StoredText[], cancel: CallCancel): Promise<void> {
    const known = this.#block().batches[batch]?.calls ?? [];
    const same =
      known.length === prompts.length &&
      prompts.every(({ sha256 }, index) => sha256 === known[index]?.prompt.sha256);
    const takes = prompts.map(({ sha256 }) => this.#known.get(sha256)?.shift() ?? null);
    if (same) return;
    const { activationId, turnId, block } = this.event;
    const refused = await this.#refusal(takes.filter((taken) => taken === null).length, cancel);
    const calls = prompts.map((prompt, index) => ({ prompt, answer: takes[index] ?? refused }));
    const { parts, run } = this.work;
    await parts.engine.report(run, [{ type: 'rlm.calls-asked', activationId, turnId, block, batch, calls }]);
  }

  /** The result for each call if the question has no sub-calls left; null if it has. */
  async #refusal(count: number, cancel: CallCancel): Promise<AnsweredCall | null> {
    const { subcalls } = this.work.config.limits;
    const { asked } = stateOf(this.work);
    if (asked + count <= subcalls) return null;
    const text = `This question may ask ${subcalls} sub-calls, and ${asked} were asked. Answer from what you have found.`;
    const answer = (await keep(this.work, text, cancel)) ?? NO_TEXT;
    return { ok: false, answer, model: '', usage: null, durationMs: 0 };
  }

  #allAnswered(batch: number, cancel: CallCancel): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        const { calls } = this.#block().batches[batch] ?? { calls: [] };
        if (!cancel.cancelled && calls.some(({ answer }) => answer === null)) return;
        this.live.answered.delete(look);
        resolve();
      };
      this.live.answered.add(look);
      cancel.onCancel(look);
      look();
    });
  }

  async #textOf({ answer }: SubCall): Promise<SubAnswer> {
    if (answer === null || answer.answer.path === '') return INTERRUPTED;
    const { parts, run } = this.work;
    const text = await parts.texts.read(run.state.artifactsDir, answer.answer.path);
    return text.ok ? { ok: answer.ok, text: text.value } : { ok: false, text: text.error.message };
  }

  #block(): BlockState {
    const { turnId, block } = this.event;
    const found = stateOf(this.work).blocks.findLast((one) => one.turnId === turnId && one.block === block);
    if (found === undefined) throw new Error('the block is not in the log');
    return found;
  }
}

const INTERRUPTED: SubAnswer = { ok: false, text: 'The sub-call was interrupted.' };
