import { agentProfileSchema } from '@areas/agents/contract/profile';
import { double } from '@contract/testing/double';
import { type AgentPorts, agentsOf } from '@main/agents/registry';
import type { SessionListener, SessionSpec } from '@main/core/ports/ports';
import { expect, test } from 'vitest';

test('the registry opens an echo agent by its profile, and it says a prompt back', async () => {
  const profile = agentProfileSchema.parse({ kind: 'echo', id: 'echo', name: 'Echo', before: 'You said: ' });
  const told: unknown[] = [];
  const listener = double<SessionListener>({ items: (_turnId, items) => void told.push(items) });
  const spec = double<SessionSpec>({ profile, key: 'k', resume: null });
  const agent = agentsOf({} as AgentPorts).get('echo');
  const opened = await agent?.open(spec, listener);
  if (opened?.ok !== true) throw new Error('no session');
  const result = await opened.value.turn({ turnId: 1, prompt: 'hello', attachments: [] });
  expect(result).toMatchObject({ outcome: 'completed', response: 'You said: hello' });
  expect(told).toEqual([[{ type: 'text', text: 'You said: hello' }]]);
  await opened.value.close();
  expect(await opened.value.turn({ turnId: 2, prompt: 'more', attachments: [] })).toMatchObject({
    outcome: 'failed',
  });
});
