import type { PromptReply } from './wire';

export interface Tokens {
  readonly input: number | null;
  readonly output: number | null;
  readonly total: number | null;
}

function tokensOf(reply: PromptReply): Tokens {
  const quota = reply._meta?.quota?.token_count;
  const input = reply.usage?.inputTokens ?? quota?.input_tokens ?? null;
  const output = reply.usage?.outputTokens ?? quota?.output_tokens ?? null;
  const sum = input === null || output === null ? null : input + output;
  return { input, output, total: reply.usage?.totalTokens ?? sum };
}

function sum(values: readonly (number | null)[]): number | null {
  const told = values.filter((value) => value !== null);
  return told.length === 0 ? null : told.reduce((before, value) => before + value, 0);
}

/** What the agent's replies in one turn told of tokens. */
export function tokensIn(replies: readonly PromptReply[]): Tokens {
  const all = replies.map(tokensOf);
  return {
    input: sum(all.map(({ input }) => input)),
    output: sum(all.map(({ output }) => output)),
    total: sum(all.map(({ total }) => total)),
  };
}
