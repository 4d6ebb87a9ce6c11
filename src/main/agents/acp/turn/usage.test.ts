import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { promptReplySchema, sessionUpdateSchema } from '../connection/wire';
import { tokensIn } from './usage';

const lineSchema = z.object({
  message: z.object({
    params: z.object({ update: z.unknown() }).partial().optional(),
    result: z.unknown().optional(),
  }),
});

/** The tokens in an agent's recorded traffic. */
function told(agent: string) {
  const file = join(import.meta.dirname, '..', '__captures__', agent, 'interleaved.jsonl');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const messages = lines.map((line) => lineSchema.parse(JSON.parse(line)).message);
  const replies = messages.flatMap(({ result }) => {
    const reply = promptReplySchema.safeParse(result);
    return reply.success ? [reply.data] : [];
  });
  const beside = messages.flatMap(({ params }) => {
    const update = sessionUpdateSchema.safeParse(params?.update);
    if (!update.success || update.data.sessionUpdate !== 'agent_message_chunk') return [];
    return update.data._meta?.usage ? [update.data._meta.usage] : [];
  });
  return tokensIn(replies, beside);
}

const requests = (count: number) => ({ input: 100 * count, output: 20 * count, total: 120 * count });

test('the tokens of a turn are counted for every agent that reports them, in any place', () => {
  for (const agent of ['claude', 'codex', 'gemini', 'qwen'])
    expect([agent, told(agent)]).toEqual([agent, requests(3)]);
  // opencode reports only those of its last request.
  expect(told('opencode')).toEqual(requests(1));
});
