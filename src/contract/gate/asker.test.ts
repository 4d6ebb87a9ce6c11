import { expect, test } from 'vitest';
import { gateOrigin } from './asker';

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
