import { expect, test } from 'vitest';
import { packagesOf } from './notices.mjs';

test('a source belongs to the innermost package around it, and sources of the app to none', () => {
  expect(
    packagesOf([
      '../../../node_modules/elkjs/lib/elk-api.js',
      '../../../node_modules/elkjs/lib/elk-worker.min.js',
      '../../../node_modules/@xyflow/react/dist/esm/index.js',
      '/app/node_modules/a/node_modules/@b/c/index.js',
      '../../../src/renderer/main.tsx',
    ]),
  ).toEqual(['node_modules/@xyflow/react', 'node_modules/a/node_modules/@b/c', 'node_modules/elkjs']);
});
