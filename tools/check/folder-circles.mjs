/**
 * Refuses circles of sibling folders, as `no-cycle` refuses circles of files: of two folders that need each other, neither
 * can be understood alone. A file beside the folders counts as a sibling, because a circle may pass through it.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { trackedFiles } from '../lib/files.mjs';
import { root } from '../lib/paths.mjs';

/** Inside these there is no circle, at any depth. The list only grows. */
const WITHOUT_CIRCLES = [
  'src/areas/agents',
  'src/areas/attention',
  'src/areas/changes',
  'src/areas/deliveries',
  'src/areas/evidence',
  'src/areas/feed',
  'src/areas/forges',
  'src/areas/gates',
  'src/areas/home',
  'src/areas/hosts',
  'src/areas/permissions',
  'src/areas/projects',
  'src/areas/prompts',
  'src/areas/runs',
  'src/areas/search',
  'src/areas/server',
  'src/areas/sessions/contract',
  'src/areas/sessions/node',
  'src/areas/settings',
  'src/areas/spend',
  'src/areas/terminals',
  'src/areas/workflows/contract',
  'src/areas/workflows/core',
  'src/areas/workflows/node',
  'src/features/coding',
  'src/features/loop',
  'src/features/rlm',
  'src/features/team/contract',
  'src/features/team/core',
  'src/features/team/node',
  'src/features/team/view',
  'src/main/adapters/pty',
  'src/main/adapters/sqlite',
  'src/main/api',
  'src/main/core/engine',
  'src/main/core/ports',
  'src/main/core/step',
  'src/main/desktop',
  'src/main/sandbox',
  'src/renderer/shell',
  'src/renderer/ui',
];

const OURS = /^src\/.*\.tsx?$/;
const FOR_TESTS = /\.test\.tsx?$|\/testing\//;
const IMPORT = /\b(?:from|import)\s*\(?\s*'([^'\n]+)'/g;
const ENDINGS = ['', '.ts', '.tsx', '/index.ts', '/index.tsx'];

/** Throws if sibling folders import each other. Returns the number of places without a circle. */
export function checkFolderCircles() {
  const files = trackedFiles().filter((file) => OURS.test(file));
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const problems = folderCircles(texts, WITHOUT_CIRCLES);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return `none in ${WITHOUT_CIRCLES.length} places`;
}

function folderCircles(texts, places) {
  const imports = [...texts].flatMap(([file, text]) =>
    FOR_TESTS.test(file) ? [] : importsOf(file, text, texts).map((target) => ({ file, target })),
  );
  return places.flatMap((place) => {
    const inside = imports.filter(({ file, target }) =>
      [file, target].every((one) => one.startsWith(`${place}/`)),
    );
    if (![...texts.keys()].some((file) => file.startsWith(`${place}/`)))
      return [`${place}: no such folder; correct the list in tools/check/folder-circles.mjs`];
    return circlesAmong(siblingEdges(inside, place));
  });
}

function importsOf(file, text, texts) {
  return [...text.matchAll(IMPORT)].flatMap(([, path]) => {
    const [, room, rest] = /^@(areas|contract|features|main|renderer)\/(.*)$/.exec(path) ?? [];
    if (room === undefined && !path.startsWith('.')) return [];
    const target = room === undefined ? join(dirname(file), path) : join('src', room, rest);
    return ENDINGS.map((ending) => target + ending).filter((one) => texts.has(one));
  });
}

/** From sibling to sibling, for each folder at or below the place: the import that joins them. */
function siblingEdges(imports, place) {
  const edges = new Map();
  for (const { file, target } of imports) {
    const from = file.split('/');
    const to = target.split('/');
    const at = from.findIndex((part, index) => part !== to[index]);
    if (at < place.split('/').length) continue;
    const [a, b] = [from, to].map((parts) => parts.slice(0, at + 1).join('/'));
    edges.set(a, (edges.get(a) ?? new Map()).set(b, `${file} imports ${target}`));
  }
  return edges;
}

/** One line for each import that closes a circle. Circles of files alone are those of `no-cycle`. */
function circlesAmong(edges) {
  const problems = [];
  const reaches = (from, wanted, seen = new Set()) => {
    if (from === wanted) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return [...(edges.get(from)?.keys() ?? [])].some((next) => reaches(next, wanted, seen));
  };
  for (const [a, targets] of edges)
    for (const [b, because] of targets)
      if (reaches(b, a)) problems.push(`${a} and ${b} are in a circle: ${because}`);
  return problems;
}

/** Circles of two, of three, through a file, and inside a folder. Throws unless exactly these are reported. */
export function folderCirclesSelfTest() {
  const texts = new Map([
    ['src/one/a/a.ts', "import { b } from '../b/b';"],
    ['src/one/b/b.ts', 'export const b = 1;'],
    ['src/one/b/other.ts', "import type { A } from '@contract/../one/a/a';\nimport('../a/a');"],
    ['src/one/down/down.ts', "import { b } from '../b/b';"],
    ['src/one/down/down.test.ts', "import { up } from '../up/up';"],
    ['src/one/up/up.ts', "import { down } from '../down/down';"],
    ['src/two/index.ts', "export * from './parts/part';"],
    ['src/two/parts/part.ts', "import type { Whole } from './whole';\nimport { x } from '..';"],
    ['src/two/parts/whole.ts', ''],
    ['src/three/in/a/a.ts', "import { b } from '../b/b';"],
    ['src/three/in/b/b.ts', "import { c } from '../c/c';"],
    ['src/three/in/c/c.ts', "import { a } from '../a/a';"],
    ['src/four/a/a.ts', "import { b } from '../b/b';"],
    ['src/four/b/b.ts', "import { a } from '../a/a';"],
  ]);
  const problems = folderCircles(texts, ['src/one', 'src/two', 'src/three', 'src/gone']);
  const places = problems.map((one) => one.split(/[ :]/)[0]).join();
  const expected =
    'src/one/a,src/one/b,src/two/index.ts,src/two/parts,src/three/in/a,src/three/in/b,src/three/in/c,src/gone';
  if (places !== expected) throw new Error(`the check of circles missed or invented one: ${places}`);
  return 3;
}
