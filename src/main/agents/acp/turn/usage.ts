import type { PromptReply, ReportedUsage } from '../connection/wire';

interface Tokens {
  readonly input: number | null;
  readonly output: number | null;
  readonly total: number | null;
}

function tokensOf(usage: Partial<ReportedUsage> | null | undefined): Tokens {
  const input = usage?.inputTokens ?? null;
  const output = usage?.outputTokens ?? null;
  const sum = input === null || output === null ? null : input + output;
  return { input, output, total: usage?.totalTokens ?? sum };
}

function ofReply({ usage, _meta }: PromptReply): Tokens {
  const quota = _meta?.quota?.token_count;
  return tokensOf({
    ...usage,
    inputTokens: usage?.inputTokens ?? quota?.input_tokens ?? null,
    outputTokens: usage?.outputTokens ?? quota?.output_tokens ?? null,
  });
}

function sum(values: readonly (number | null)[]): number | null {
  const reported = values.filter((value) => value !== null);
  return reported.length === 0 ? null : reported.reduce((before, value) => before + value, 0);
}

const total = (all: readonly Tokens[]): Tokens => ({
  input: sum(all.map((one) => one.input)),
  output: sum(all.map((one) => one.output)),
  total: sum(all.map((one) => one.total)),
});

/** A turn's tokens: from the agent's replies, else from its other messages. */
export function tokensIn(replies: readonly PromptReply[], beside: readonly ReportedUsage[]): Tokens {
  const fromReplies = total(replies.map(ofReply));
  return fromReplies.input === null && fromReplies.output === null && fromReplies.total === null
    ? total(beside.map(tokensOf))
    : fromReplies;
}
