import { createHash } from 'node:crypto';
import { agentProfileSchema } from '@areas/agents/contract/profile';
import { fail, ok, type Result } from '@contract/result';
import type { ExecResult, ReplSeed, SubPrompt } from '@contract/sandbox/protocol';
import { lengthOf } from '@contract/text-length';
import { Harness, MemoryLog } from '@main/core/engine/testing/harness';
import { Cancel } from '@main/core/ports/cancel';
import type { Completion, CompletionRequest, Completions } from '@main/core/ports/completions';
import type {
  DocumentText,
  ExecEnd,
  ExecOptions,
  LostReason,
  Sandbox,
  Sandboxes,
} from '@main/core/ports/programs/sandbox';
import type { FreezeRequest, FrozenDocuments, KeptText, RunTexts } from '@main/core/ports/run-texts';
import { rlmPromptSet } from '../../contract/prompts';

const model = (id: string) =>
  agentProfileSchema.parse({
    kind: 'gateway',
    id,
    name: id,
    api: 'openai',
    base_url: 'http://127.0.0.1:1/v1',
    model: id,
  });

/** Texts in memory, on a simulated disk that can be full. */
class MemoryTexts implements RunTexts {
  readonly files = new Map<string, string>();
  full = false;

  async freeze({ artifactsDir, paths }: FreezeRequest): Promise<Result<FrozenDocuments>> {
    const documents: FrozenDocuments['documents'][number][] = [];
    for (const name of paths) {
      const kept = await this.put(artifactsDir, `text of ${name}`);
      if (!kept.ok) return kept;
      documents.push({ ...kept.value, name });
    }
    return ok({ documents, leftOut: [] });
  }

  survey: RunTexts['survey'] = async ({ paths }) =>
    ok(paths.map((name) => ({ name, bytes: 1, isText: true })));

  async put(_artifactsDir: string, text: string): Promise<Result<KeptText>> {
    if (this.full) return fail('store.disk_full', 'A text of the run cannot be written: no space left');
    const sha256 = this.hash(text);
    this.files.set(`texts/${sha256}.txt`, text);
    return ok({ sha256, path: `texts/${sha256}.txt`, chars: lengthOf(text) });
  }

  async read(_artifactsDir: string, path: string): Promise<Result<string>> {
    const text = this.files.get(path);
    return text === undefined ? fail('not_found', `there is no ${path}`) : ok(text);
  }

  async *pieces(artifactsDir: string, path: string): AsyncGenerator<Result<string>> {
    yield await this.read(artifactsDir, path);
  }

  find: RunTexts['find'] = async (_artifactsDir, path, wanted) => {
    const text = this.files.get(path) ?? '';
    return ok(wanted.map((one) => (text.includes(one) ? 1 : null)));
  };

  hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  marker = (): string => 'ab'.repeat(16);
}

/** A sub-model whose answers the test gives; null means no answer. */
class FakeCompletions implements Completions {
  readonly asked: string[] = [];
  answer: (prompt: string) => Partial<Completion> | null = (prompt) => ({ text: `answer to ${prompt}` });

  complete({ prompt, cancel, model: asked }: CompletionRequest): Promise<Completion> {
    this.asked.push(prompt);
    const whole = (part: Partial<Completion>): Completion => ({
      ok: true,
      text: '',
      model: asked ?? 'sub',
      usage: null,
      ...part,
    });
    const given = this.answer(prompt);
    if (given !== null) return Promise.resolve(whole(given));
    return new Promise((resolve) =>
      cancel.onCancel(() => resolve(whole({ ok: false, text: 'The sub-call was interrupted.' }))),
    );
  }
}

/**
 * Interprets a small language: `set NAME VALUE`, `print NAME`, `ask NAME PROMPT; PROMPT` (a batch), `final
 * NAME`, `raise TEXT`, `hang`, and, without any output, `draw NAME` (from the seed) and `process NAME` (never
 * the same twice). `die` ends the interpreter.
 */
/** No two fake processes have the same id. */
const pids = new Set<number>();

class FakeSandbox implements Sandbox {
  readonly pid = pids.add(pids.size + 1).size;
  readonly confinement = { osSandbox: true, detail: 'fake' };
  lost: LostReason | null = null;
  readonly variables = new Map<string, string>();

  /** `dies`: the host of its process dies when a block is interrupted. */
  constructor(private readonly dies: boolean) {}

  get alive(): boolean {
    return this.lost === null;
  }

  #seed: ReplSeed | null = null;
  #interrupt: () => void = () => undefined;

  async fix(seed: ReplSeed): Promise<Result<void>> {
    this.#seed = seed;
    return ok(undefined);
  }

  async setContext(documents: Iterable<DocumentText> | AsyncIterable<DocumentText>): Promise<Result<void>> {
    if (!this.alive) return fail('step.failed', 'The sandbox ended.');
    for await (const document of documents)
      for await (const text of typeof document === 'string' ? [document] : document)
        this.variables.set('context', text);
    return ok(undefined);
  }

  async exec(code: string, { ask }: ExecOptions): Promise<ExecEnd> {
    const result: ExecResult = {
      stdout: '',
      stderr: '',
      dropped: 0,
      error: null,
      interrupted: false,
      final: null,
      variables: [],
    };
    const interrupted = new Promise<'interrupted'>((resolve) => {
      this.#interrupt = () => resolve('interrupted');
    });
    for (const line of code.split('\n')) {
      const [word = '', name = '', ...rest] = line.trim().split(' ');
      if (word === 'set') this.variables.set(name, rest.join(' '));
      if (word === 'draw') this.variables.set(name, JSON.stringify(this.#seed));
      if (word === 'process') this.variables.set(name, String(this.pid));
      if (word === 'print') result.stdout += `${this.variables.get(name) ?? 'None'}\n`;
      if (word === 'final') result.final = { call: 'FINAL', text: this.variables.get(name) ?? '' };
      if (word === 'raise') result.error = [name, ...rest].join(' ');
      const waits =
        word === 'hang'
          ? new Promise<never>(() => undefined)
          : word === 'ask'
            ? this.#ask(ask, name, rest)
            : null;
      if (waits !== null && (await Promise.race([waits, interrupted])) === 'interrupted')
        Object.assign(result, { interrupted: true, error: 'KeyboardInterrupt' });
      if (word === 'die') this.lost = 'crashed';
      if (result.interrupted && this.dies) this.lost ??= 'host';
      if (this.lost !== null)
        return { kind: 'lost', reason: this.lost, ...(word === 'die' ? { detail: 'RangeError' } : {}) };
      if (result.error !== null) break;
    }
    const variables = [...this.variables.keys()].filter((one) => one !== 'context').sort();
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([...this.variables].sort()))
      .digest('hex');
    return { kind: 'done', result: { ...result, variables, fingerprint }, timedOut: false };
  }

  async #ask(ask: ExecOptions['ask'], name: string, rest: readonly string[]): Promise<void> {
    const cancel = new Cancel();
    const before = this.#interrupt;
    this.#interrupt = () => {
      before();
      cancel.cancel();
    };
    const prompts: SubPrompt[] = rest
      .join(' ')
      .split(';')
      .map((instruction) => ({ instruction: instruction.trim(), content: '' }));
    const answers = await ask(prompts, cancel);
    this.variables.set(
      name,
      answers.map(({ ok: good, text }) => (good ? text : `Error: ${text}`)).join(', '),
    );
  }

  async read(name: string): Promise<string | null> {
    if (!this.alive) return null;
    return this.variables.get(name) ?? null;
  }

  interrupt(): void {
    this.#interrupt();
  }

  /** Its process ends by itself. */
  end(reason: LostReason): void {
    this.lost ??= reason;
    this.#interrupt();
  }

  async stop(): Promise<void> {
    this.end('closed');
  }
}

class FakeSandboxes implements Sandboxes {
  readonly started: FakeSandbox[] = [];
  /** Sandboxes that start now die when they are interrupted. */
  dying = false;
  /** Number of sandboxes that die before they have their documents. */
  deaths = 0;

  async start(): Promise<Result<Sandbox>> {
    const sandbox = new FakeSandbox(this.dying);
    if (this.deaths > 0) sandbox.end('host');
    this.deaths = Math.max(0, this.deaths - 1);
    this.started.push(sandbox);
    return ok(sandbox);
  }

  async stop(): Promise<void> {
    for (const sandbox of this.started) await sandbox.stop();
  }
}

/** A log that accepts a limited number of commits, as if the core was then killed. */
class CutLog extends MemoryLog {
  cutAfter = Number.POSITIVE_INFINITY;

  override append(...args: Parameters<MemoryLog['append']>): ReturnType<MemoryLog['append']> {
    return this.commits < this.cutAfter ? super.append(...args) : new Promise(() => undefined);
  }
}

/** Questions with the real engine, and a sandbox, sub-model and disk controlled by the test. */
export class QuestionHarness extends Harness {
  readonly cut: CutLog;
  readonly texts: MemoryTexts;
  readonly completions: FakeCompletions;
  /** Those of the first core. */
  readonly sandboxes: FakeSandboxes;
  /** Prompts whose files are missing. */
  readonly missing = new Set<string>();

  constructor(replies: readonly string[]) {
    const log = new CutLog();
    const texts = new MemoryTexts();
    const completions = new FakeCompletions();
    const sandboxes = new FakeSandboxes();
    super(log, log, { sandboxes, completions, texts });
    this.sandboxes = sandboxes;
    this.cut = log;
    this.texts = texts;
    this.completions = completions;
    this.agents.answer = ({ request }) => {
      // A turn's reply depends on its position, also when it is resent.
      const turns = Object.values(this.state().turns);
      const ordinal = turns.find(({ id }) => id === request.turnId)?.ordinal ?? 0;
      return { response: replies[ordinal] ?? 'FINAL("no reply is left")' };
    };
  }

  ask(config: Record<string, unknown> = {}, budget?: { readonly tokens: number }): Promise<number> {
    return this.inBody(config, (step) => step, budget);
  }

  /** Asks from a step that `around` builds around the question's own. */
  inBody(
    config: Record<string, unknown>,
    around: (step: Record<string, unknown>) => Record<string, unknown>,
    budget?: { readonly tokens: number },
  ): Promise<number> {
    const profiles = { root: model('root'), sub: model('sub') };
    const textAt = (id: string): string => (this.missing.has(id) ? '' : textOf(id));
    const prompts = Object.fromEntries(rlmPromptSet.prompts.map(({ id }) => [id, textAt(id)]));
    return this.run(
      {
        ...(budget === undefined ? {} : { budget }),
        steps: [
          around({
            id: 'question',
            type: 'step.rlm',
            config: {
              question: 'Why?',
              documents: ['a.txt'],
              acp_profile_id: 'root',
              sub_model: { acp_profile_id: 'sub' },
              ...config,
            },
          }),
        ],
      },
      { profiles, prompts },
    );
  }

  /** A new core on the same log after a kill: nothing of the old one is left. */
  async killed(): Promise<void> {
    this.cut.cutAfter = Number.POSITIVE_INFINITY;
    this.questions.sandboxes = new FakeSandboxes();
    await this.restart();
  }

  /** The operator resumes the failed step. */
  async resume(): Promise<void> {
    await this.engine.command(1, () => ok([{ type: 'run.resumed', by: 'test', activationIds: [1] }]));
    await this.rested();
  }

  /** The operator interrupts the running block. */
  async interrupt(): Promise<void> {
    await this.engine.command(1, () =>
      ok([{ type: 'rlm.interrupt-requested', activationId: 1, by: 'test' }]),
    );
    await this.rested();
  }

  /** Waits for everything that happens without the test, including delays. */
  async rested(): Promise<void> {
    for (let round = 0; round < 5; round += 1) {
      await this.idle();
      this.clock.advance(1_000);
    }
    await this.idle();
  }

  answerText(): string | undefined {
    const { activations } = this.state();
    const content = Object.values(activations).at(-1)?.outputs.data_out?.content;
    return (content as { merged_content?: string } | undefined)?.merged_content;
  }
}

/** A text with all placeholders that its schema requires. */
function textOf(id: string): string {
  const schema = rlmPromptSet.prompts.find((one) => one.id === id);
  return schema === undefined ? id : schema.placeholders.map(({ name }) => `{${name}}`).join(' ') || id;
}

export const repl = (...lines: readonly string[]): string => `\`\`\`repl\n${lines.join('\n')}\n\`\`\``;
