import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HunksWanted } from '../../../core/ports/workspaces/workspace-edits';
import type { SnapshotPlace } from '../../../core/ports/workspaces/workspaces';
import { commitAll, Kit, must, uid } from '../testing/kit';

/** A path may be a file in one state and a folder in the next. */
const path = fc.constantFrom('a', 'a/b', 'a/b/c', 'd', 'd/e f', 'g\n"h"', 'i', 'j/k', 'j/l');
const content = fc.oneof(
  fc
    .array(fc.constantFrom('one', 'two', 'three', '', '-- x', '++ y', '\\ z'), { maxLength: 12 })
    .map((all) => all.join('\n')),
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path, content, executable: fc.boolean() }),
  fc.record({ do: fc.constant('link' as const), path, content: fc.constantFrom('a', '../x', 'no where') }),
  fc.record({ do: fc.constant('delete' as const), path }),
  fc.record({ do: fc.constant('commit' as const) }),
);
type Edit =
  | { do: 'write'; path: string; content: string; executable: boolean }
  | { do: 'link'; path: string; content: string }
  | { do: 'delete'; path: string }
  | { do: 'commit' };

function apply(root: string, one: Edit): void {
  if (one.do === 'commit') {
    try {
      commitAll(root);
    } catch {
      // There is nothing to commit.
    }
    return;
  }
  const file = join(root, one.path);
  const parents = one.path.split('/').slice(0, -1);
  for (let depth = 1; depth <= parents.length; depth += 1) {
    const up = join(root, ...parents.slice(0, depth));
    const facts = lstatSync(up, { throwIfNoEntry: false });
    if (facts !== undefined && !facts.isDirectory()) rmSync(up);
  }
  rmSync(file, { recursive: true, force: true });
  if (one.do === 'delete') return;
  mkdirSync(dirname(file), { recursive: true });
  if (one.do === 'link') return symlinkSync(one.content, file);
  writeFileSync(file, one.content, 'latin1');
  chmodSync(file, one.executable ? 0o755 : 0o644);
}

/** Everything that git can store: no empty folders. */
function stateOf(root: string, below = ''): Record<string, string> {
  const state: Record<string, string> = {};
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    if (below === '' && entry.name === '.git') continue;
    const name = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) Object.assign(state, stateOf(root, name));
    else if (entry.isSymbolicLink()) state[name] = `-> ${readlinkSync(join(root, name))}`;
    else
      state[name] = `${lstatSync(join(root, name)).mode & 0o111} ${readFileSync(join(root, name), 'latin1')}`;
  }
  return state;
}

const folders = async (kit: Kit): Promise<SnapshotPlace[]> => {
  const worktree = kit.run();
  const folder = kit.run({ mode: 'folder', artifactsDir: join(kit.root, 'more') });
  return [
    { path: must(await kit.port().prepare(worktree)).path, run: worktree },
    { path: must(await kit.port().prepare(folder)).path, run: folder },
  ];
};

test('restoring a snapshot gives its state after any change, and undo gives the later state', async () => {
  const kit = new Kit();
  kit.init('a');
  const port = kit.port();
  const places = await folders(kit);
  let turn = 0;
  const edits = fc.array(edit, { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.nat(1), edits, edits, async (which, first, then) => {
      const place = places[which] as SnapshotPlace;
      const able = (one: Edit) => one.do !== 'commit' || which === 0;
      turn += 1;
      for (const one of first.filter(able)) apply(place.path, one);
      const before = stateOf(place.path);
      must(await port.snapshot(place, `${uid}/t${turn}-before`));
      for (const one of then.filter(able)) apply(place.path, one);
      const after = stateOf(place.path);
      const { undo } = must(await port.restore(place, { uid, snapshot: `${uid}/t${turn}-before` }));
      expect(stateOf(place.path)).toEqual(before);
      must(await port.restore(place, { uid, snapshot: undo }));
      expect(stateOf(place.path)).toEqual(after);
    }),
    { numRuns: 30 },
  );
}, 300_000);

test('taking back all hunks in any order gives the files as they were', async () => {
  const kit = new Kit();
  kit.init('a');
  const port = kit.port();
  const [place] = await folders(kit);
  if (place === undefined) throw new Error('no place');
  // Files share no lines, so that none is detected as moved.
  const name = fc.constantFrom('a', 'b c', 'd/e', 'f');
  const lines = fc.array(fc.nat(6), { maxLength: 40 });
  const file = fc.record({ lines, end: fc.boolean() });
  const files = fc.dictionary(name, file, { maxKeys: 4 });
  const write = (all: Record<string, { lines: number[]; end: boolean }>) => {
    for (const entry of readdirSync(place.path))
      if (entry !== '.git') rmSync(join(place.path, entry), { recursive: true });
    for (const [path, { lines: numbers, end }] of Object.entries(all)) {
      const text = numbers.map((number) => `${path} ${number}`).join('\n');
      apply(place.path, { do: 'write', path, content: end ? `${text}\n` : text, executable: false });
    }
  };
  let turn = 0;
  await fc.assert(
    fc.asyncProperty(files, files, fc.infiniteStream(fc.nat()), async (first, then, picks) => {
      turn += 1;
      write(first);
      const before = stateOf(place.path);
      must(await port.snapshot(place, `${uid}/t${turn}-before`));
      write(then);
      must(await port.snapshot(place, `${uid}/t${turn}-after`));
      const side = (moment: string) => ({
        snapshots: [`${uid}/t${turn}-${moment}`],
        commit: null,
        orEmpty: false,
      });
      const wanted: HunksWanted = { place, from: side('before'), to: side('after') };
      const found = must(await port.hunksOf(wanted)).files;
      // A file without lines has no hunks.
      const left = found.flatMap((one) =>
        one.hunks.length === 0
          ? [{ path: one.path, hunk: 'file' }]
          : one.hunks.map(({ id }) => ({ path: one.path, hunk: id })),
      );
      while (left.length > 0) {
        const [one] = left.splice((picks.next().value ?? 0) % left.length, 1);
        if (one !== undefined) must(await port.revertHunk({ wanted, uid, ...one }));
      }
      expect(stateOf(place.path)).toEqual(before);
    }),
    { numRuns: 12 },
  );
}, 300_000);
