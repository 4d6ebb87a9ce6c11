import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { HOST_NODE } from './hosts';

test('a host needs the same Node as Muster’s own development', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../package.json'), 'utf8');
  const { engines } = z.object({ engines: z.object({ node: z.string() }) }).parse(JSON.parse(text));
  expect(engines.node).toBe(`>=${HOST_NODE}`);
});
