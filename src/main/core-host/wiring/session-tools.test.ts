import { expect, test } from 'vitest';
import { type Redactor, redactorOf } from '../../agents/redact';
import type { SessionTools, ToolEndpoint } from '../../core/ports/tools';
import { LateTools } from './session-tools';

test("an agent's text in the tools of its team has no secret that it was given", async () => {
  const redactors = new Map<string, Redactor>();
  const made = redactorOf(['sk-live-1234567890']);
  if (made !== null) redactors.set('U/s1', made);
  const served = new Map<string, SessionTools>();
  const tools = new LateTools(redactors, async () => ({
    async serve(key, given) {
      served.set(key, given);
      return { url: key } as ToolEndpoint;
    },
    end: () => undefined,
    close: async () => undefined,
  }));
  const heard: unknown[] = [];
  const call = async (name: string, input: unknown) => {
    heard.push([name, input]);
    return { text: 'sent', isError: false };
  };
  for (const key of ['U/s1', 'U/s2']) await tools.serve(key, { tools: [], call });
  for (const one of served.values()) await one.call('team_message', { text: 'my key: sk-live-1234567890' });
  expect(heard).toEqual([
    ['team_message', { text: 'my key: ***' }],
    ['team_message', { text: 'my key: sk-live-1234567890' }],
  ]);
});
