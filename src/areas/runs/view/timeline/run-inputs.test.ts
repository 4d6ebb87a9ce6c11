import type { RunEvent } from '@contract/run/events';
import { replay } from '@contract/run/reduce';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RunInputs } from './run-inputs';

function drawn(inputs: Readonly<Record<string, string>>): string {
  const definition = { name: 'w', steps: [], cables: [] };
  const references = { baseBranch: null, docsDir: 'docs', inputs };
  const started: object = { type: 'run.started', instruction: '', definition, references };
  const state = replay([{ seq: 1, at: 1, event: started as RunEvent }]);
  if (state === null) throw new Error('no state');
  return renderToStaticMarkup(createElement(RunInputs, { state }));
}

test('The beginning of a run shows the values of its inputs by their names', () => {
  expect(drawn({ lang: 'French', note: '' })).toMatch(/lang<.*>French<.*note<.*>empty</s);
});

test('A run without inputs shows no empty list of them', () => {
  expect(drawn({})).toBe('');
});
