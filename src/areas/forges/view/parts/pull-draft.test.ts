import { expect, test } from 'vitest';
import type { PullPreview } from '../../contract/pull';
import { keptDraft, textOfDraft } from './pull-draft';

const proposed: PullPreview = {
  ...{ title: 'The till', body: 'Done.', draft: false, base: 'main', reviewers: ['cem'], labels: [] },
  ...{ runId: 1, repository: 'acme/shop', host: 'forge.test', files: 1, issue: 7, updates: null, shown: 'x' },
  head: { repository: 'acme/shop', branch: 'muster/7-till', commit: 'a'.repeat(40) },
};

test('what was written of a pull request is kept over a newer proposal, and sent as lists', () => {
  const written = { ...keptDraft('', proposed), title: 'Mine', reviewers: '@cem, ana,, cem', draft: 'yes' };
  const draft = keptDraft(JSON.stringify(written), { ...proposed, title: 'Newer' });
  expect(textOfDraft(draft).text).toEqual({
    ...{ title: 'Mine', body: 'Done.', base: 'main', draft: true },
    ...{ reviewers: ['cem', 'ana'], labels: [] },
  });
});

test('a pull request without a title or a base names the field that is missing', () => {
  const draft = keptDraft('', proposed);
  expect(textOfDraft({ ...draft, title: '  ' })).toEqual({ text: null, wrong: 'title' });
  expect(textOfDraft({ ...draft, base: ' ' })).toEqual({ text: null, wrong: 'base' });
});
