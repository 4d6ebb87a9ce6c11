import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stepRegistry } from '@features/core';
import { expect, test } from 'vitest';
import { z } from 'zod';

const root = join(import.meta.dirname, '../../../../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The file of each panel, as the registry imports it. */
function panelFiles(): [string, string][] {
  const registry = read('src/features/view.ts');
  const [, before = '', panels = ''] =
    /^([\s\S]*)export const stepPanels([\s\S]*?)\]\);/.exec(registry) ?? [];
  const review = /import\('\.\/(review)\/view\/panel'\)/.exec(before)?.[1] ?? '';
  return [
    ...panels.matchAll(/'(step\.[a-z_]+)',\s*(?:reviewPanel|lazy\([\s\S]*?'\.\/([^']+)\/view\/panel')/g),
  ].map(([, type = '', feature = review]) => [type, `src/features/${feature}/view/panel.tsx`]);
}

test('a panel of its own shows every key that the configuration of its step may have', () => {
  const shared = read('src/areas/workflows/view/parts/step-panel/own-panel.tsx');
  expect(panelFiles()).toHaveLength(7);
  const missing = panelFiles().flatMap(([type, file]) => {
    const schema = z.toJSONSchema(stepRegistry.get(type)?.config ?? z.never(), { io: 'input' });
    const source = read(file) + (read(file).includes('ConversationFields') ? shared : '');
    return Object.keys(schema.properties ?? {}).flatMap((key) =>
      source.includes(`'${key}'`) ? [] : [`${type}: ${key}`],
    );
  });
  expect(missing).toEqual([]);
});
