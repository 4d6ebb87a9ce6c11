import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runStarted, stateAfter, workflow } from '../testing/events';
import { derivedRunName, firstWords, RUN_NAME_CHARS, shownInstruction } from './run-name';

const definition = workflow([{ id: 'a' }], {
  name: 'Review',
  inputs: { mode: { type: 'string', default: 'fast' }, topic: { type: 'string' } },
});
const references = (inputs: Record<string, string>) => ({ baseBranch: null, docsDir: 'docs/', inputs });
const nameOf = (fields: Parameters<typeof runStarted>[0]) =>
  stateAfter([runStarted({ name: 'Review', definition, references: references({}), ...fields })]).name;

test('a run is named after its issue, else its instruction, else its own input, else its workflow', () => {
  const issue = { number: 12, title: 'The lock is\nnot freed' };
  const inputs = references({ mode: 'fast', topic: 'Locks' });
  expect(nameOf({ issue, instruction: 'Mend it.', references: inputs })).toBe('#12 The lock is');
  expect(nameOf({ instruction: 'Mend it.', references: inputs })).toBe('Mend it.');
  expect(nameOf({ references: inputs })).toBe('Review: Locks');
  expect(nameOf({ references: references({ mode: 'fast', topic: '' }) })).toBe('Review');
  expect(nameOf({ instruction: ' \n ' })).toBe('Review');
});

test('a name is the first line with words, without marks of Markdown and signs that are not seen', () => {
  expect(firstWords('\n---\n## - Mend the\tlock\u202e now\n\nMore')).toBe('Mend the lock now');
  expect(firstWords('--- \n *** ')).toBeNull();
  expect(firstWords('-1 is wrong')).toBe('-1 is wrong');
  expect(firstWords('word '.repeat(40))).toBe(`${'word '.repeat(11).trim()}…`);
  expect(firstWords('🔒x'.repeat(200))?.endsWith('…')).toBe(true);
});

test('the name of any text is one line of at most 60 characters, or none', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
      const name = firstWords(text);
      if (name === null) return;
      expect([...name].length).toBeLessThanOrEqual(RUN_NAME_CHARS);
      expect(name).toBe(name.trim());
      expect(name).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    }),
  );
});

test('a renamed run has the name of the operator, and without it the derived one again', () => {
  const begun = runStarted({ name: 'Review', definition, instruction: 'Mend it.' });
  const named = stateAfter([begun, { type: 'run.renamed', name: 'The leak', by: 'operator' }]);
  expect([named.name, named.workflowName, derivedRunName(named)]).toEqual(['The leak', 'Review', 'Mend it.']);
  const again = stateAfter([
    begun,
    { type: 'run.renamed', name: 'The leak', by: 'operator' },
    { type: 'run.renamed', name: null, by: 'operator' },
  ]);
  expect(again.name).toBe('Mend it.');
});

test('the instruction of new work is the prompt of its only step; a step of a workflow file is none', () => {
  const steps = workflow([{ id: 'task', config: { instruction: 'Mend it.' } }]);
  const fields = { instruction: '', definition: steps };
  expect(shownInstruction({ ...fields, sourceFile: null })).toBe('Mend it.');
  expect(shownInstruction({ ...fields, sourceFile: 'a.yaml' })).toBe('');
  expect(shownInstruction({ ...fields, instruction: 'All.', sourceFile: null })).toBe('All.');
});
