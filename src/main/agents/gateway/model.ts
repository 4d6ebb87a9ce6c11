import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { Endpoint } from './endpoint';

export type Fetch = typeof globalThis.fetch;

// The SDK would print its warnings to standard error; they go into the transcript instead.
globalThis.AI_SDK_LOG_WARNINGS = false;

export function languageModel(endpoint: Endpoint, key: string | null, fetch: Fetch): LanguageModel {
  const { profile, address: baseURL, modelId } = endpoint;
  switch (profile.api) {
    case 'openai':
      return createOpenAICompatible({
        name: 'gateway',
        baseURL,
        includeUsage: true,
        fetch,
        ...(key === null ? {} : { apiKey: key }),
      })(modelId);
    case 'anthropic':
      // Without a key this SDK uses ANTHROPIC_API_KEY from the environment, which may belong to another
      // server.
      return createAnthropic({
        baseURL,
        apiKey: key ?? 'none',
        fetch: key === null ? withoutKey(fetch) : fetch,
      })(modelId);
  }
}

function withoutKey(fetch: Fetch): Fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete('x-api-key');
    return fetch(input, { ...init, headers });
  };
}
