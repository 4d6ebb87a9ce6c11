import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from './fixtures/test';

/** The sources of the programs of a start, including every chunk that they load at once. */
function sourcesAtStart(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const code = readFileSync(file, 'utf8');
  const { sources } = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
  const imports = /^(?:import|export)\b[^;(]*?["'](\.[^"']+)["']|(?<!=>\s*)\brequire\("(\.[^"]+)"\)/gm;
  const loaded = [...code.matchAll(imports)].map(([, module, script]) => module ?? script ?? '');
  const inner = loaded.filter((name) => !name.includes('rolldown-runtime'));
  return [...sources, ...inner.flatMap((name) => sourcesAtStart(join(dirname(file), name), seen))];
}

test('a start of the app or the command line loads nothing of the sandbox', () => {
  const out = join(import.meta.dirname, '..', 'out', 'main');
  const isSandbox = (source: string) => /src\/main\/(adapters\/)?sandbox|sandbox-page|pyodide/.test(source);
  for (const entry of [
    'startup/main.cjs',
    'startup/core-host.cjs',
    'startup/core.cjs',
    'startup/desktop.cjs',
    'cli.js',
  ]) {
    const sources = sourcesAtStart(join(out, entry));
    expect(sources.length, entry).toBeGreaterThan(0);
    expect(sources.filter(isSandbox), entry).toEqual([]);
  }
  // It is in chunks that the first question loads.
  const chunks = readdirSync(join(out, 'startup', 'core')).filter((name) => /^host-process.*cjs$/.test(name));
  const later = chunks.flatMap((name) => sourcesAtStart(join(out, 'startup', 'core', name)));
  expect(later.filter(isSandbox)).not.toEqual([]);
});
