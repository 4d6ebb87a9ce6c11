import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { newSessionReplySchema } from '../connection/wire';
import { choicesOf } from './choices';

const lineSchema = z.object({ message: z.object({ result: z.unknown().optional() }) });

/** What an agent's recorded traffic lists for a session. */
function listedBy(agent: string) {
  const file = join(import.meta.dirname, '..', '__captures__', agent, 'interleaved.jsonl');
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  for (const line of lines) {
    const reply = newSessionReplySchema.safeParse(lineSchema.parse(JSON.parse(line)).message.result);
    if (reply.success) return choicesOf(reply.data);
  }
  throw new Error(`${agent} opened no session`);
}

test('the modes and models that each agent lists are known, by its own names', () => {
  expect(listedBy('codex').modes).toEqual(expect.arrayContaining(['read-only', 'workspace-write']));
  expect(listedBy('claude').modes).toEqual(expect.arrayContaining(['default', 'acceptEdits', 'plan']));
  expect(listedBy('gemini').modes).toEqual(['default', 'autoEdit', 'yolo', 'plan']);
  expect(listedBy('qwen').modes).toEqual(['plan', 'default', 'auto-edit', 'auto', 'yolo']);
  expect(listedBy('opencode').models).toContain('local/scripted');
  for (const agent of ['codex', 'claude', 'gemini', 'qwen'])
    expect([agent, listedBy(agent).models.length > 0]).toEqual([agent, true]);
});

test('an agent that lists nothing offers nothing', () => {
  expect(choicesOf({ modes: null, models: null, configOptions: null })).toEqual({ modes: [], models: [] });
});
