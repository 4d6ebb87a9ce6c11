import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeFiles } from '../../../adapters/process/files';
import type { ToolState } from '../turn/tool-calls';
import { editsInside, placesOf } from './places';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'muster-places-')));
const real = join(top, 'real');
mkdirSync(join(real, 'src'), { recursive: true });
mkdirSync(join(top, 'outside'));
writeFileSync(join(real, 'src', 'a.ts'), '');
symlinkSync(join(top, 'outside'), join(real, 'link'));
const cwd = join(top, 'work');
symlinkSync(real, cwd);

const tool = (more: Partial<ToolState>): ToolState => ({
  id: '1',
  title: '',
  name: null,
  kind: 'edit',
  status: 'pending',
  content: [],
  locations: [],
  rawInput: undefined,
  rawOutput: undefined,
  printed: '',
  exitCode: null,
  ...more,
});
const places = (more: Partial<ToolState>) => placesOf(tool(more), { cwd, files: nodeFiles });

test('the files of a tool are gathered from all its fields, under the name of the session’s folder', async () => {
  const told = await places({
    locations: [join(cwd, 'src/a.ts')],
    content: [{ type: 'diff', path: join(real, 'src', 'b.ts'), oldText: null, newText: '' }],
    rawInput: { file_path: 'src/a.ts', edits: [{ filePath: 'c.ts', text: 'x' }], changes: { 'd.ts': {} } },
  });
  const paths = ['src/a.ts', 'src/b.ts', 'c.ts', 'd.ts'].map((path) => join(cwd, path));
  expect(told).toEqual({ paths });
});

test('links out of the folder are followed, also for what does not exist yet', async () => {
  expect(await places({ rawInput: { path: 'link/new.ts' } })).toEqual({
    paths: [join(top, 'outside', 'new.ts')],
  });
});

test('a path that climbs is left as it is', async () => {
  expect(await places({ locations: ['src/../link/x'] })).toEqual({ paths: [`${cwd}/src/../link/x`] });
});

test('a command tells its folder, and none of its words is taken for a file', async () => {
  const rawInput = { command: 'x', path: 'no', cwd: 'src' };
  expect(await places({ kind: 'execute', rawInput })).toEqual({ cwd: join(cwd, 'src') });
  expect(await places({ kind: 'execute', rawInput: { command: 'x' } })).toEqual({});
});

test.each<[string, Partial<ToolState>, boolean]>([
  ['a file in the folder', { locations: [join(cwd, 'src/a.ts')] }, true],
  ['a file in the folder by its real name', { locations: [join(real, 'src/a.ts')] }, true],
  ['a new file by a relative path', { rawInput: { file_path: 'src/new.ts' } }, true],
  ['a file of another folder of the session', { locations: [join(top, 'artifacts', 'a.md')] }, true],
  ['a file outside', { locations: [join(top, 'outside', 'a.ts')] }, false],
  ['one file inside and one outside', { locations: [join(cwd, 'a'), join(top, 'outside', 'a')] }, false],
  [
    'a diff outside beside a place inside',
    {
      locations: [join(cwd, 'a')],
      content: [{ type: 'diff', path: '/etc/passwd', oldText: null, newText: '' }],
    },
    false,
  ],
  ['a new file behind a link that leads out', { locations: [join(cwd, 'link/new.ts')] }, false],
  ['a path that climbs', { locations: [`${cwd}/src/../a.ts`] }, false],
  ['a path of the home folder', { locations: ['~/.bashrc'] }, false],
  ['an address', { locations: ['file:///etc/passwd'] }, false],
  ["git's own files", { locations: [join(cwd, '.git/config')] }, false],
  ['no path at all', {}, false],
  ['an empty path', { locations: [''] }, false],
])('an edit needs no question only where all its files may be written: %s', async (_what, more, may) => {
  const roots = [cwd, join(top, 'artifacts')];
  expect(await editsInside(tool(more), { cwd, roots, files: nodeFiles })).toBe(may);
});

const FROM = join(cwd, 'src/a.ts');
const TO = join(top, 'outside', 'b.ts');
/** How tools name the target of a move; the source is inside. */
const MOVES: readonly [string, Partial<ToolState>][] = [
  ['`from` and `to`', { kind: 'move', rawInput: { from: FROM, to: TO } }],
  ['`source` and `destination`', { kind: 'move', rawInput: { source: FROM, destination: TO } }],
  ['`old_name` and `newName`', { kind: 'move', rawInput: { old_name: FROM, newName: TO } }],
  [
    'a file with `movePath`',
    { rawInput: { filepath: 'src/a.ts', files: [{ filePath: FROM, movePath: TO }] } },
  ],
  ['a change with `move_path`', { rawInput: { changes: { [FROM]: { type: 'update', move_path: TO } } } }],
  ['a list of changes', { rawInput: { changes: [{ path: FROM, kind: { type: 'update', move_path: TO } }] } }],
  [
    'the text of a patch',
    { rawInput: { patchText: `*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: ${TO}\n@@\n-a\n+b` } },
  ],
  ["git's patch", { locations: [FROM], rawInput: { patch: `rename from src/a.ts\nrename to ${TO}\n` } }],
  ['a diff', { locations: [FROM], rawInput: { diff: `--- ${FROM}\n+++ ${TO}\t2026\n@@ -1 +1 @@` } }],
];

test.each(MOVES)('the target of a move counts as its source does: %s', async (_how, more) => {
  const roots = [cwd];
  expect(await editsInside(tool(more), { cwd, roots, files: nodeFiles })).toBe(false);
  expect((await places(more)).paths).toEqual(expect.arrayContaining([FROM, TO]));
  const inside = JSON.parse(JSON.stringify(more).replaceAll(TO, join(cwd, 'b.ts'))) as Partial<ToolState>;
  expect(await editsInside(tool(inside), { cwd, roots, files: nodeFiles })).toBe(true);
});

test('a path given to a tool that edits nothing is not a file to edit', async () => {
  const rawInput = { to: 'ana', from: 'ben', patch: '*** Move to: x', text: 'hello' };
  expect(await places({ kind: 'other', rawInput })).toEqual({});
  expect(await places({ kind: 'edit', rawInput: { path: 'a', content: '*** Move to: /etc/x' } })).toEqual({
    paths: [join(cwd, 'a')],
  });
});
