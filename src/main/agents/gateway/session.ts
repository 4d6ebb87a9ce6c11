import type { TranscriptItem } from '@areas/sessions/contract/session';
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
import { GATEWAY_PAUSES_MS } from '../../limits/core';
import { ItemBuffer } from '../item-buffer';
import { notStarted, type TurnEnd, type TurnInFlight, TurnLoop } from '../turn-loop';
import { promptMessages } from './attachments';
import { endingOf } from './ending';
import type { Endpoint } from './endpoint';
import { type Heard, listen } from './listen';
import { alternates, asOne, assistantMessage, systemOf, userMessages } from './messages';
import { type Fetch, languageModel } from './model';
import { readTrouble } from './trouble';
import { brokenOff, judge, mayPass } from './verdict';

interface GatewaySessionParts {
  readonly spec: SessionSpec;
  readonly listener: SessionListener;
  readonly endpoint: Endpoint;
  readonly clock: Clock;
  readonly files: Pick<WorkspaceFiles, 'readBytes'>;
  readonly fetch: Fetch;
}

/**
 * The conversation consists of the completed turns only, from which a resume rebuilds it. Attachments of
 * earlier turns are not resent at a resume, so the resumed conversation lacks them.
 */
export class GatewaySession implements Session {
  readonly ready: SessionReady;
  readonly #messages: ModelMessage[];
  readonly #system: string | undefined;
  readonly #warned = new Set<string>();
  readonly #loop: TurnLoop;

  constructor(private readonly parts: GatewaySessionParts) {
    const { spec, endpoint } = parts;
    this.#loop = new TurnLoop({ clock: parts.clock, silenceMinutes: endpoint.profile.silence_minutes });
    const { opening } = spec;
    this.#system = systemOf(endpoint, opening);
    this.#messages = [
      ...(opening?.assistant == null || alternates(endpoint) ? [] : [assistantMessage(opening.assistant)]),
      ...(spec.resume?.turns ?? []).flatMap(({ prompt, messages, response }) =>
        exchanged(userMessages({ prompt, messages }, endpoint), response),
      ),
    ];
    this.ready = {
      providerSessionId: spec.key,
      agent: `${endpoint.modelId} at ${new URL(endpoint.address).host}`,
      capabilities: { resume: true, cancel: true, permissions: false, images: true, embeddedFiles: true },
      fresh: spec.resume === null,
      notice: null,
    };
  }

  turn(request: TurnRequest): Promise<TurnResult> {
    return this.#loop.turn((turn) => {
      turn.asks((seen) => this.parts.listener.observed?.(request.turnId, seen));
      return this.#run(request, turn);
    });
  }

  cancel(): Promise<void> {
    return this.#loop.cancel();
  }

  park(): Promise<void> {
    return this.#loop.leave('parked');
  }

  close(): Promise<void> {
    return this.#loop.leave('closed');
  }

  async #run(request: TurnRequest, turn: TurnInFlight): Promise<TurnResult> {
    const { clock, endpoint, files, fetch } = this.parts;
    const { profile } = endpoint;
    const prompt = await promptMessages(request, files);
    if (!prompt.ok) return notStarted(prompt.error, prompt.error.code);
    const messages = alternates(endpoint) ? asOne(prompt.value) : prompt.value;
    const key = endpoint.key();
    if (!key.ok) return notStarted(key.error, key.error.code);
    const abort = new AbortController();
    turn.endsBy(() => abort.abort());
    const buffer = new ItemBuffer(clock, (items) => this.parts.listener.items(request.turnId, items));
    let began = false;
    const watched: Fetch = async (...call) => {
      began = false;
      const response = await fetch(...call);
      began = response.ok;
      return response;
    };
    const question = {
      model: languageModel(endpoint, key.value, watched),
      system: this.#system,
      maxOutputTokens: profile.max_output_tokens,
      prices: profile.prices,
      messages: [...this.#messages, ...messages],
      signal: abort.signal,
    };
    const ear = {
      heard: () => turn.heard(),
      item: (item: TranscriptItem) => buffer.add(item),
      warnings: (texts: readonly string[]) => this.#warn(texts, buffer),
    };
    for (let attempt = 1; ; attempt += 1) {
      const heard = await listen(question, ear);
      const { again, result } = this.#resultOf(heard, this.#loop.stoppedAs(turn), {
        key: key.value,
        began,
      });
      const pause = GATEWAY_PAUSES_MS[attempt - 1];
      if (!again || pause === undefined) {
        buffer.flush();
        if (result.outcome === 'completed') this.#messages.push(...exchanged(messages, heard.response));
        return result;
      }
      const text = `${result.error?.message ?? 'It failed'}. Retrying in ${pause / 1000} s (${attempt + 1} of ${GATEWAY_PAUSES_MS.length + 1}).`;
      buffer.add({ type: 'notice', text });
      await rest(clock, pause, abort.signal);
    }
  }

  /** A warning concerns the profile, not the turn: once per session is enough. */
  #warn(texts: readonly string[], buffer: ItemBuffer): void {
    for (const text of texts) {
      if (this.#warned.has(text)) continue;
      this.#warned.add(text);
      buffer.add({ type: 'notice', text });
    }
  }

  /** `again`: the failure may be temporary, so the request is repeated. */
  #resultOf(
    heard: Heard,
    stopped: TurnEnd | null,
    { key, began }: { readonly key: string | null; readonly began: boolean },
  ): { readonly result: TurnResult; readonly again: boolean } {
    const { clock, endpoint } = this.parts;
    const { response, toolCalls, usage, finish, error } = heard;
    const answer = { response, toolCalls, usage, limitResetsAt: null };
    const final = (result: TurnResult) => ({ result, again: false });
    if (stopped !== null) return final({ ...answer, ...stopped });
    if (error !== null) {
      const trouble = readTrouble(error, key, began);
      return { result: { ...answer, ...judge(trouble, endpoint, clock.now()) }, again: mayPass(trouble) };
    }
    if (finish === null) {
      const error = brokenOff(endpoint);
      return { result: { ...answer, outcome: 'failed', stopReason: 'unfinished', error }, again: true };
    }
    return final({ ...answer, ...endingOf(finish, response, endpoint) });
  }
}

function rest(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.at(clock.now() + ms, resolve);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}

/** Leaves out an empty answer: some servers reject a message without content. */
const exchanged = (prompt: readonly ModelMessage[], response: string): ModelMessage[] =>
  response.trim() === '' ? [...prompt] : [...prompt, assistantMessage(response)];
