import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/paths.mjs';

const EXEMPTION = /(?:\/\/|\/\*)\s*(biome-ignore|@ts-expect-error|@ts-ignore|@ts-nocheck)\b/g;

/** The number of suppressed checks in the code; the check prints it, and it should only fall. */
export function countExemptions() {
  const counts = { 'biome-ignore': 0, '@ts-expect-error': 0 };
  for (const folder of ['src', 'e2e', 'bench', 'tools']) {
    for (const file of sources(join(root, folder))) {
      for (const [, kind] of readFileSync(file, 'utf8').matchAll(EXEMPTION))
        counts[kind] = (counts[kind] ?? 0) + 1;
    }
  }
  return Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

function sources(folder) {
  try {
    const names = readdirSync(folder, { recursive: true });
    return names.filter((name) => /\.(tsx?|mjs|cjs|css)$/.test(name)).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
