import { type AppError, appError } from '@contract/errors';
import type { ModelMessage } from 'ai';
import type { WorkspaceFiles } from '../../core/ports/files';
import type {
  Clock,
  Session,
  SessionListener,
  SessionReady,
  SessionSpec,
  TurnRequest,
  TurnResult,
} from '../../core/ports/ports';
import { ItemBuffer } from '../item-buffer';
import { watchSilence } from '../silence';
import { promptMessage } from './attachments';
import { endingOf } from './ending';
import type { Endpoint } from './endpoint';
import { type Heard, listen } from './listen';
import { type Fetch, languageModel } from './model';
import { readTrouble } from './trouble';
import { judge } from './verdict';

interface GatewaySessionParts {
  readonly spec: SessionSpec;
  readonly listener: SessionListener;
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly files: Pick<WorkspaceFiles, 'readBytes'>;
  readonly fetch: Fetch;
}

type Cause = 'cancelled' | 'silent';

/** A turn in flight. */
interface Flight {
  readonly abort: AbortController;
  cause: Cause | null;
  done: Promise<unknown>;
}

/**
 * The conversation is the completed turns and nothing else: that is also what a resume builds it from. Attachments of
 * earlier turns are not told at a resume, so a resumed conversation has their prompts without them.
 */
export class GatewaySession implements Session {
  readonly ready: SessionReady;
  readonly #parts: GatewaySessionParts;
  readonly #messages: ModelMessage[];
  readonly #warned = new Set<string>();
  #flight: Flight | null = null;
  #closed = false;

  constructor(parts: GatewaySessionParts) {
    const { spec, endpoint } = parts;
    this.#parts = parts;
    this.#messages = (spec.resume?.turns ?? []).flatMap(({ prompt, response }) =>
      exchanged(prompt, response),
    );
    this.ready = {
      providerSessionId: spec.key,
      agent: `${endpoint.modelId} at ${new URL(endpoint.address).host}`,
      capabilities: { resume: true, cancel: true, permissions: false, images: true, embeddedFiles: true },
      fresh: spec.resume === null,
      notice: null,
    };
  }

  async turn(request: TurnRequest): Promise<TurnResult> {
    if (this.#closed) return failed(appError('conflict', 'the session is closed'));
    if (this.#flight !== null) return failed(appError('conflict', 'a turn is in flight in this session'));
    const flight: Flight = { abort: new AbortController(), cause: null, done: Promise.resolve() };
    this.#flight = flight;
    const result = this.#run(request, flight);
    flight.done = result;
    try {
      return await result;
    } finally {
      this.#flight = null;
    }
  }

  async cancel(): Promise<void> {
    const flight = this.#flight;
    if (flight === null) return;
    stop(flight, 'cancelled');
    await flight.done;
  }

  park(): Promise<void> {
    return this.close();
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.cancel();
  }

  async #run(request: TurnRequest, flight: Flight): Promise<TurnResult> {
    const { clock, endpoint, files, fetch } = this.#parts;
    const { profile } = endpoint;
    const message = await promptMessage(request, files);
    if (!message.ok) return failed(message.error);
    const key = endpoint.key();
    if (!key.ok) return failed(key.error);
    const silence = watchSilence(clock, profile.silence_minutes, () => stop(flight, 'silent'));
    const buffer = new ItemBuffer(clock, (items) => this.#parts.listener.items(request.turnId, items));
    const heard = await listen(
      {
        model: languageModel(endpoint, key.value, fetch),
        system: profile.system_prompt,
        maxOutputTokens: profile.max_output_tokens,
        messages: [...this.#messages, message.value],
        signal: flight.abort.signal,
      },
      {
        heard: () => silence.heard(),
        item: (item) => buffer.add(item),
        warnings: (texts) => this.#warn(texts, buffer),
      },
    );
    silence.end();
    buffer.flush();
    const result = this.#resultOf(heard, flight.cause, key.value);
    if (result.outcome === 'completed') this.#messages.push(...exchanged(message.value, heard.response));
    return result;
  }

  /** A warning is of the profile, not of the turn: once in a session is enough. */
  #warn(texts: readonly string[], buffer: ItemBuffer): void {
    for (const text of texts) {
      if (this.#warned.has(text)) continue;
      this.#warned.add(text);
      buffer.add({ type: 'notice', text });
    }
  }

  #resultOf(heard: Heard, cause: Cause | null, key: string | null): TurnResult {
    const { clock, endpoint } = this.#parts;
    const { response, usage, finish, error } = heard;
    const said = { response, usage, limitResetsAt: null };
    if (cause === 'cancelled') return { ...said, outcome: 'cancelled', stopReason: 'cancelled', error: null };
    if (cause === 'silent') {
      const minutes = endpoint.profile.silence_minutes;
      const message = `${endpoint.address} gave no sign of life for ${minutes} minutes`;
      return { ...said, outcome: 'failed', stopReason: 'silent', error: appError('agent.timeout', message) };
    }
    if (error !== null) return { ...said, ...judge(readTrouble(error, key), endpoint, clock.now()) };
    if (finish === null) {
      const broken = appError('agent.protocol', `${endpoint.address} ended the answer without saying why`);
      return { ...said, outcome: 'failed', stopReason: 'unfinished', error: broken };
    }
    return { ...said, ...endingOf(finish, response, endpoint) };
  }
}

function stop(flight: Flight, cause: Cause): void {
  flight.cause ??= cause;
  flight.abort.abort();
}

/** An empty answer is left out: some servers refuse a message without content. */
function exchanged(prompt: string | ModelMessage, response: string): ModelMessage[] {
  const asked: ModelMessage = typeof prompt === 'string' ? { role: 'user', content: prompt } : prompt;
  return response.trim() === '' ? [asked] : [asked, { role: 'assistant', content: response }];
}

function failed(error: AppError): TurnResult {
  return {
    outcome: 'failed',
    stopReason: error.code,
    response: '',
    usage: null,
    error,
    limitResetsAt: null,
  };
}
