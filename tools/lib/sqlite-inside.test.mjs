import { readFileSync } from 'node:fs';
import { build } from 'vite';
import { expect, test } from 'vitest';
import { modules } from './paths.mjs';
import { sqliteInside } from './sqlite-inside.mjs';

const code = readFileSync(modules('better-sqlite3', 'lib', 'binding.js'), 'utf8');

test.each([
  '/muster/node_modules/better-sqlite3/lib/binding.js',
  'C:/muster/node_modules/better-sqlite3/lib/binding.js',
  'C:\\muster\\node_modules\\better-sqlite3\\lib\\binding.js',
])(
  'the native half of SQLite is looked for in its own package, by whatever name the script goes: %s',
  (id) => {
    const { code: found } = sqliteInside().transform(code, id) ?? {};
    expect(found).toContain('const __sqliteLib =');
    expect(found).not.toContain("__dirname, '..'");
  },
);

test('a script without the native half is left alone', () => {
  for (const id of ['/muster/lib/binding.js', '/muster/node_modules/better-sqlite3/lib/database.js'])
    expect(sqliteInside().transform('__dirname', id)).toBeNull();
});

const built = (source, plugin = sqliteInside()) =>
  build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'entry',
        resolveId: (id) => (id === 'entry' ? id : null),
        load: (id) => (id === 'entry' ? source : null),
      },
      plugin,
    ],
    ssr: { noExternal: true },
    build: { ssr: true, write: false, rolldownOptions: { input: 'entry', output: { format: 'cjs' } } },
  });
const WITH = "import Database from 'better-sqlite3'; export const of = (file) => new Database(file);";

test('a build that would look for the native half elsewhere is ended, and no other', async () => {
  const missed = { ...sqliteInside(), transform: () => null };
  await expect(built(WITH, missed)).rejects.toThrow('looks for its native half');
  await expect(built('export const one = 1;', missed)).resolves.toBeDefined();
  const { output } = await built(WITH);
  expect(output[0].code).toContain('__sqliteLib');
});
