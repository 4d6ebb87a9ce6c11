import { servesModels } from '@areas/agents/contract/agent-kinds';
import type { Usage } from '@areas/sessions/contract/session';
import { MINUTE_MS } from '@contract/time-units';
import type { CallCancel } from '../../core/ports/cancel';
import type { Completion, CompletionRequest, Completions } from '../../core/ports/completions';
import type { Clock, TurnResult } from '../../core/ports/ports';
import { COMPLETION_PAUSES_MS, LONGEST_PROVIDER_PAUSE_MS } from '../../limits/core';
import { type Endpoint, readEndpoint } from './endpoint';
import type { Heard } from './listen';

interface CompletionParts {
  readonly secret: (name: string) => string | null;
  readonly clock: Clock;
  readonly fetch?: typeof globalThis.fetch;
}

/** HTTP models, asked one question at a time without a conversation. */
export function createCompletions(parts: CompletionParts): Completions {
  return {
    async complete({ profile, model, prompt, cancel }: CompletionRequest): Promise<Completion> {
      const failed = (text: string): Completion => ({ ok: false, text, model: model ?? '', usage: null });
      if (!servesModels(profile)) return failed(`The profile ${profile.id} is not a model over HTTP.`);
      const endpoint = readEndpoint(profile, model, parts.secret);
      return endpoint.ok
        ? withRetries(parts, endpoint.value, { prompt, cancel })
        : failed(endpoint.error.message);
    },
  };
}

type Question = Pick<CompletionRequest, 'prompt' | 'cancel'>;

async function withRetries(
  parts: CompletionParts,
  endpoint: Endpoint,
  question: Question,
): Promise<Completion> {
  const { clock } = parts;
  let usage: Usage | null = null;
  for (let attempt = 0; ; attempt += 1) {
    const tried = await once(parts, endpoint, question);
    usage = together(usage, tried.usage);
    const answer = (text: string, ok: boolean): Completion => ({ ok, text, model: endpoint.modelId, usage });
    if (tried.result.outcome === 'completed') return answer(tried.response, true);
    const pause = question.cancel.cancelled ? null : pauseOf(tried, attempt, clock.now());
    if (pause === null) return answer(tried.result.error?.message ?? 'The model did not answer.', false);
    await rest(clock, pause, question.cancel);
  }
}

interface Tried {
  readonly response: string;
  readonly usage: Usage | null;
  readonly result: Pick<TurnResult, 'outcome' | 'error' | 'limitResetsAt'>;
  readonly again: boolean;
}

/** Null if a retry would not help. */
function pauseOf({ result, again }: Tried, attempt: number, now: number): number | null {
  const pause = COMPLETION_PAUSES_MS[attempt] ?? null;
  if (pause === null) return null;
  if (result.outcome !== 'limit') return again ? pause : null;
  if (result.error?.code === 'agent.quota') return null;
  const wait = Math.max(pause, (result.limitResetsAt ?? 0) - now);
  return wait > LONGEST_PROVIDER_PAUSE_MS ? null : wait;
}

async function once(
  { clock, fetch = globalThis.fetch }: CompletionParts,
  endpoint: Endpoint,
  { prompt, cancel }: Question,
): Promise<Tried> {
  // The SDK loads slowly, so it is loaded only when a model is asked.
  const [{ listen }, { languageModel }] = await Promise.all([import('./listen'), import('./model')]);
  const key = endpoint.key();
  const nothing = { response: '', usage: null, again: false };
  if (!key.ok) return { ...nothing, result: { outcome: 'failed', error: key.error, limitResetsAt: null } };
  const abort = new AbortController();
  cancel.onCancel(() => abort.abort());
  const silence = new Silence(clock, endpoint.profile.silence_minutes, () => abort.abort());
  let began = false;
  const watched: typeof globalThis.fetch = async (...call) => {
    const response = await fetch(...call);
    began = response.ok;
    return response;
  };
  const heard = await listen(
    {
      model: languageModel(endpoint, key.value, watched),
      system: endpoint.profile.system_prompt,
      maxOutputTokens: endpoint.profile.max_output_tokens,
      prices: endpoint.profile.prices,
      messages: [{ role: 'user', content: prompt }],
      signal: abort.signal,
    },
    { heard: () => silence.heard(), item: () => undefined, warnings: () => undefined },
  );
  silence.end();
  return judged(heard, endpoint, {
    key: key.value,
    began,
    stopped: stoppedWords(cancel, silence),
    now: clock.now(),
  });
}

const stoppedWords = (cancel: CallCancel, silence: Silence): string | null => {
  if (cancel.cancelled) return 'The sub-call was interrupted.';
  return silence.over ? 'The model did not respond for too long.' : null;
};

interface Circumstances {
  readonly key: string | null;
  readonly began: boolean;
  readonly stopped: string | null;
  readonly now: number;
}

async function judged(heard: Heard, endpoint: Endpoint, about: Circumstances): Promise<Tried> {
  const [{ readTrouble }, { brokenOff, judge, mayPass }, { endingOf }, { appError }] = await Promise.all([
    import('./trouble'),
    import('./verdict'),
    import('./ending'),
    import('@contract/errors'),
  ]);
  const { response, usage, error, finish } = heard;
  const answer = { response, usage };
  const failed = (why: ReturnType<typeof appError>, again: boolean): Tried => ({
    ...answer,
    again,
    result: { outcome: 'failed', error: why, limitResetsAt: null },
  });
  if (about.stopped !== null) return failed(appError('cancelled', about.stopped), false);
  if (error !== null) {
    const trouble = readTrouble(error, about.key, about.began);
    return { ...answer, result: judge(trouble, endpoint, about.now), again: mayPass(trouble) };
  }
  if (finish === null) return failed(brokenOff(endpoint), true);
  return {
    ...answer,
    again: false,
    result: { ...endingOf(finish, response, endpoint), limitResetsAt: null },
  };
}

function together(before: Usage | null, after: Usage | null): Usage | null {
  if (before === null || after === null) return after ?? before;
  const sum = (one: number | null, other: number | null) => (one === null ? other : one + (other ?? 0));
  return {
    input_tokens: sum(before.input_tokens, after.input_tokens),
    output_tokens: sum(before.output_tokens, after.output_tokens),
    total_tokens: sum(before.total_tokens, after.total_tokens),
    cost_usd: sum(before.cost_usd, after.cost_usd),
  };
}

function rest(clock: Clock, ms: number, cancel: CallCancel): Promise<void> {
  return new Promise((resolve) => {
    const stop = clock.at(clock.now() + ms, resolve);
    cancel.onCancel(() => {
      stop();
      resolve();
    });
  });
}

/** Ends a call whose model is silent for longer than its profile allows. */
class Silence {
  over = false;
  #cancel: (() => void) | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly minutes: number | null,
    private readonly onOver: () => void,
  ) {
    this.heard();
  }

  heard(): void {
    this.#cancel?.();
    if (this.minutes === null) return;
    this.#cancel = this.clock.at(this.clock.now() + this.minutes * MINUTE_MS, () => {
      this.over = true;
      this.onOver();
    });
  }

  end(): void {
    this.#cancel?.();
  }
}
