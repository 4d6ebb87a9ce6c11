import { expect, test } from 'vitest';
import { gateHeadline, gateOrigin } from './requester';

test('The origin of a loop gate names the loop once, and the project', () => {
  const name = 'Loop: ralph/x';
  const loop = { agent: null, stepId: 'loop', stepTitle: name, runName: name, projectName: 'shop' };
  expect(gateOrigin({ ...loop, title: `${name}: blocked at US-001` })).toBe('shop');
  expect(gateOrigin({ ...loop, title: 'Go on?' })).toBe(`${name} · shop`);
  expect(gateOrigin({ ...loop, title: `${name}: paused`, agent: 'Codex' })).toBe('Codex · shop');
  expect(gateOrigin({ ...loop, title: 'Review', stepTitle: 'Review', runName: 'notes' })).toBe(
    'notes · shop',
  );
  expect(gateOrigin({ ...loop, title: 'Login', stepTitle: null, stepId: null, projectName: null })).toBe(
    name,
  );
});

test('A headline leaves out the name of the run, which stands beside it', () => {
  const runName = 'Loop: ralph/x';
  expect(gateHeadline({ title: `${runName}: blocked at US-001`, runName })).toBe('Blocked at US-001');
  expect(gateHeadline({ title: 'Clean: a turn was cut off', runName: 'Clean up' })).toBe(
    'Clean: a turn was cut off',
  );
});
