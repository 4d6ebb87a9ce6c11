import { expect, test } from 'vitest';
import { ruleDraftSchema } from '../../contract/rule';
import { draftOf, endOf, type RuleWords, subjectOf, wordsOf } from './rule-words';

const NOW = new Date(2026, 4, 3, 12, 30).getTime();
const words: RuleWords = {
  agent: 'worker',
  tool: 'edit',
  path: ' src/** ',
  command: '',
  effect: 'allow',
  reason: '',
  span: 'run',
  projectId: 3,
};
const place = { runId: 7, projectId: 3, ownCheckout: false };

test('the choices become a rule that can be kept', () => {
  const made = (more: Partial<RuleWords>, at: typeof place | null = place) =>
    ruleDraftSchema.parse(draftOf({ ...words, ...more }, at, NOW));
  expect(made({})).toMatchObject({
    scope: 'run',
    run_id: 7,
    project_id: null,
    path: 'src/**',
    command: null,
  });
  expect(made({}, { ...place, ownCheckout: true })).toMatchObject({ scope: 'run', project_id: 3 });
  expect(made({ span: 'never' })).toMatchObject({
    scope: 'project',
    run_id: null,
    project_id: 3,
    expires_at: null,
  });
  expect(made({ span: 'hour', projectId: null })).toMatchObject({
    scope: 'everywhere',
    project_id: null,
    expires_at: NOW + 3_600_000,
  });
  expect(made({ tool: ' ' }, null).tool).toBe('*');
});

test('the choice "today" ends at midnight where the operator is', () => {
  expect(new Date(endOf('today', NOW) ?? 0)).toEqual(new Date(2026, 4, 4, 0, 0));
});

test('a suggestion is taken over as it is', () => {
  const draft = draftOf(words, place, NOW);
  expect(draftOf(wordsOf(draft, 3), place, NOW)).toEqual(draft);
  expect(subjectOf(draft)).toBe('edit src/**');
});
