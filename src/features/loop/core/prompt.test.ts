import { double } from '@contract/testing/double';
import type { ActivationView } from '@main/core/step/module';
import { expect, test } from 'vitest';
import type { AttemptState, LoopState } from '../contract/state';
import type { RalphConfig } from './config';
import { workerPrompt } from './prompt';

const text = (own: string | null, library: string): string => {
  const story = { id: 'US-1', title: 'One' };
  return workerPrompt(
    double<ActivationView<RalphConfig>>({ config: { prompt: own }, promptText: () => library }),
    double<LoopState>({ folder: '.', branch: 'main', attempts: [] }),
    double<AttemptState>({ id: 1, iteration: 2, of: 5, retry: 0, text: null, story, verify: undefined }),
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
