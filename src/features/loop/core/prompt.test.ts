import type { ActivationView } from '@main/core/step/module';
import { expect, test } from 'vitest';
import type { AttemptState, LoopState } from '../contract/state';
import type { RalphConfig } from './config';
import { workerPrompt } from './prompt';

const text = (own: string | null, library: string): string => {
  const view = { config: { prompt: own }, promptText: () => library };
  const loop = { folder: '.', branch: 'main', attempts: [] };
  const attempt = { id: 1, iteration: 2, of: 5, retry: 0, text: null, story: { id: 'US-1', title: 'One' } };
  return workerPrompt(
    view as unknown as ActivationView<RalphConfig>,
    loop as unknown as LoopState,
    attempt as unknown as AttemptState,
  );
};

test("a project's prompt writes a literal brace twice, as everywhere in the library", () => {
  expect(text(null, 'Do {story}. Print {{"ok": true}}.\nResult:')).toBe(
    'Do US-1 - One. Print {"ok": true}.\nResult:',
  );
});

test("a step's own prompt is taken as it stands, except for the known names", () => {
  expect(text('{story} {iteration} {{x}} {constructor} {other}\nResult:', '')).toBe(
    'US-1 - One 2 {{x}} {constructor} {other}\nResult:',
  );
});
