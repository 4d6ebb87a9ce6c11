import { agentProfileSchema } from '@contract/catalog/profile';
import { expect, it } from 'vitest';
import { leaveWords } from './leave-words';

const words = (more: Record<string, unknown>) =>
  leaveWords(agentProfileSchema.parse({ kind: 'cli', id: 'c', name: 'C', command: 'codex', ...more }));

it.each([
  [{}, '(workspace-write)'],
  [{ permissions: 'ask' }, 'choose what it may do'],
  [{ permissions: 'deny' }, '(read-only)'],
  [{ permissions: 'allow_all' }, 'without a sandbox'],
  [{ mode: 'own' }, 'the sandbox own'],
])('Codex without a terminal, %j: %s', (more, wanted) => {
  expect(words({ preset: 'codex-exec', ...more })).toContain(wanted);
});

it('an agent that can ask needs no words', () => {
  expect(words({ preset: 'codex' })).toBeNull();
});
