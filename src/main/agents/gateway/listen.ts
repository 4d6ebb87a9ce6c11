import type { HttpGatewayProfile } from '@areas/agents/contract/profile';
import { ResponseReader, type TurnResponse } from '@areas/sessions/contract/response';
import type { TranscriptItem, Usage } from '@areas/sessions/contract/session';
import {
  type CallWarning,
  InvalidResponseDataError,
  type LanguageModel,
  type LanguageModelUsage,
  type ModelMessage,
  streamText,
} from 'ai';
import { RESPONSE_CHARS } from '../../limits/core-sizes';
import type { Finish } from './ending';

type Prices = NonNullable<HttpGatewayProfile['prices']>;

interface Question {
  readonly model: LanguageModel;
  readonly system: string | undefined;
  readonly maxOutputTokens: number | undefined;
  readonly prices: Prices | undefined;
  readonly messages: ModelMessage[];
  readonly signal: AbortSignal;
}

interface Ear {
  heard(): void;
  item(item: TranscriptItem): void;
  warnings(texts: readonly string[]): void;
}

export interface Heard extends TurnResponse {
  readonly usage: Usage | null;
  /** Null without an error: the stream ended in the middle of the answer. */
  readonly finish: Finish | null;
  readonly error: unknown;
}

/** Asks once, without a retry: whether to retry is the run's decision. */
export async function listen(question: Question, ear: Ear): Promise<Heard> {
  const { model, system, maxOutputTokens, prices, messages, signal } = question;
  const reader = new ResponseReader(RESPONSE_CHARS);
  let heard: Omit<Heard, 'response'> = { toolCalls: 'none', usage: null, finish: null, error: null };
  const all = (more: Partial<Heard> = {}): Heard => ({ ...heard, response: reader.response, ...more });
  let spoke = false;
  try {
    const { stream } = streamText({
      model,
      messages,
      maxRetries: 0,
      abortSignal: signal,
      // The SDK's own handler prints to standard error.
      onError: () => {},
      ...(system === undefined ? {} : { instructions: system }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    });
    for await (const part of stream) {
      ear.heard();
      switch (part.type) {
        case 'start-step':
          ear.warnings(part.warnings.map(worded));
          break;
        case 'text-delta':
          spoke = true;
          reader.text(part.text, null);
          ear.item({ type: 'text', text: part.text });
          break;
        case 'reasoning-delta':
          spoke = true;
          ear.item({ type: 'thought', text: part.text });
          break;
        case 'finish-step': {
          const finish: Finish = { unified: part.finishReason, raw: part.rawFinishReason ?? null };
          heard = { ...heard, finish, usage: usageOf(part.usage, prices) };
          break;
        }
        case 'error':
          heard = { ...heard, error: heard.error ?? part.error };
          break;
        default:
      }
    }
  } catch (error) {
    return all({ error: heard.error ?? error });
  }
  if (spoke && endedOpen(heard)) return all({ finish: null, error: null });
  if (heard.usage !== null) ear.item({ type: 'usage', usage: heard.usage });
  return all();
}

/**
 * Each API reports a stream without a finish reason differently. If the stream contained nothing, it is
 * garbage.
 */
function endedOpen({ finish, error }: Pick<Heard, 'finish' | 'error'>): boolean {
  if (error === null) return finish?.unified === 'interrupted';
  return InvalidResponseDataError.isInstance(error) && error.data === undefined;
}

function usageOf(
  { inputTokens, outputTokens, totalTokens }: LanguageModelUsage,
  prices: Prices | undefined,
): Usage | null {
  if (inputTokens === undefined && outputTokens === undefined && totalTokens === undefined) return null;
  return {
    input_tokens: inputTokens ?? null,
    output_tokens: outputTokens ?? null,
    total_tokens: totalTokens ?? null,
    cost_usd:
      prices === undefined || inputTokens === undefined || outputTokens === undefined
        ? null
        : (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000,
  };
}

function worded(warning: CallWarning): string {
  switch (warning.type) {
    case 'unsupported':
    case 'compatibility':
      return warning.details ?? `${warning.feature} is not supported`;
    case 'deprecated':
    case 'other':
      return warning.message;
    default:
      return JSON.stringify(warning);
  }
}
