import type { ProfileRow } from '@areas/agents/contract/procedures';
import { agentProfileSchema } from '@areas/agents/contract/profile';
import { expect, test } from 'vitest';
import { firstUsable } from './first-usable';

const row = (id: string, profile: object, trouble: string | null = null) => ({
  profile: agentProfileSchema.parse({ id, name: id, ...profile }),
  source: 'operator' as ProfileRow['source'],
  projectId: null,
  trouble,
});
const model = row('model', { kind: 'gateway', api: 'openai', base_url: 'http://127.0.0.1:1', model: 'm' });
const script = row('script', { kind: 'scripted', script: 'a.json' });
const missing = row('missing', { kind: 'acp', command: 'gone' }, 'gone was not found');
const agent = row('agent', { kind: 'acp', command: 'claude' });

test('new work offers an agent that can start and edits files, then a model, and a script only if nothing else exists', () => {
  const first = (...rows: (typeof agent)[]) => firstUsable(rows)?.profile.id;
  expect(first(script, model, missing, agent)).toBe('agent');
  expect(first(script, missing, model)).toBe('model');
  expect(first(script, missing)).toBe('script');
  expect(first()).toBeUndefined();
});

test('the script that comes with Muster is never a default, and one of a project is', () => {
  const builtin = { ...script, source: 'builtin' as const };
  expect(firstUsable([builtin])).toBeUndefined();
  expect(firstUsable([builtin, { ...script, source: 'project' }])?.source).toBe('project');
  expect(firstUsable([builtin, missing])?.profile.id).toBe('missing');
});
