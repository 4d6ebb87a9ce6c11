import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HOST_NODE } from './hosts';

test('a host needs the oldest Node that the build makes scripts for', () => {
  const build = readFileSync(join(import.meta.dirname, '../../../../electron.vite.config.ts'), 'utf8');
  const [, target] = /const NODE = 'node([\d.]+)'/.exec(build) ?? [];
  expect(HOST_NODE).toBe(`${target}.0`);
});
