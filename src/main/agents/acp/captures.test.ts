import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { responseOf } from '@areas/sessions/contract/response';
import type { TranscriptItem } from '@areas/sessions/contract/session';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sessionUpdateSchema, toolUpdateSchema } from './connection/wire';
import { Recorder } from './turn/recorder';

/** Recorded lines between Muster and each agent's real program. */
const lineSchema = z.object({
  from: z.enum(['muster', 'agent']),
  message: z.looseObject({ method: z.string().optional(), params: z.unknown().optional() }),
});
const updateSchema = z.object({ update: z.unknown() });
const permissionSchema = z.object({ toolCall: toolUpdateSchema });

const folder = join(import.meta.dirname, '__captures__');
const agents = readdirSync(folder);

function replay(agent: string, capture: string) {
  const items: TranscriptItem[] = [];
  const recorder = new Recorder({
    emit: (told) => items.push(...told),
    hold: () => undefined,
    release: () => undefined,
    terminalOutput: () => null,
    flushMs: 60_000,
    mostPending: 1_000_000,
    mostResponse: 1_000_000,
  });
  let prompts = 0;
  for (const line of readFileSync(join(folder, agent, `${capture}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')) {
    const { message } = lineSchema.parse(JSON.parse(line));
    if (message.method === 'session/prompt') {
      prompts += 1;
      if (prompts > 1) recorder.prompted();
    }
    if (message.method === 'session/request_permission')
      recorder.toolUpdate(permissionSchema.parse(message.params).toolCall);
    if (message.method !== 'session/update') continue;
    const update = sessionUpdateSchema.safeParse(updateSchema.parse(message.params).update);
    if (update.success) recorder.update(update.data);
  }
  const { response, toolCalls } = recorder.takeResponse();
  recorder.flush();
  return { response, toolCalls, items };
}

test.each(agents)('after tool calls, thoughts and plans the answer of %s is whole and alone', (agent) => {
  const { response, toolCalls, items } = replay(agent, 'interleaved');
  expect(JSON.parse(response)).toEqual({ decision: 'approve', findings: [] });
  expect(toolCalls).toBe('before');
  // The transcript tells the same to a core that reads it after a crash.
  expect(responseOf(items)).toEqual({ response, toolCalls });
  const texts = items.flatMap((item) => (item.type === 'text' ? [item.text] : []));
  expect(texts).toContain('Now I will look at part 0.');
  expect(texts).toContain('Next I write the notes.');
});

test.each(agents)('after a denied permission the last answer of %s counts', (agent) => {
  const { response } = replay(agent, 'denied');
  expect(response).toMatch(/^Scripted answer \d to: The operator did not allow this:$/);
});
