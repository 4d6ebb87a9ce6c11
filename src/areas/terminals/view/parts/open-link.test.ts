import { expect, test } from 'vitest';
import { absolute } from './open-link';

test('a printed path is resolved in its folder', () => {
  const from = (path: string) => absolute(path, '/home/me/project');
  expect(['/etc/hosts', 'src/a.ts', './a.ts', '../b/c.ts', '../../../../x'].map(from)).toEqual([
    ...['/etc/hosts', '/home/me/project/src/a.ts', '/home/me/project/a.ts', '/home/me/b/c.ts', '/x'],
  ]);
});
