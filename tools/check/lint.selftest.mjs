/**
 * Plants one violation of each of our rules that the linter enforces, and asserts that it reports them all.
 */
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modules, root } from '../lib/paths.mjs';
import { run } from '../lib/run.mjs';

const PURE = [
  'src/contract',
  'src/areas/one/contract',
  'src/areas/one/core',
  'src/features/one/contract',
  'src/features/one/core',
  'src/main/core',
];

const PLANTED = `
import { Shape } from './shape';
declare function later(): Promise<void>;
export function planted(kind: 'a' | 'b', b: number, c: number, d: Shape) {
  const x: any = [Math.random(), b, c, d];
  Date.now();
  setTimeout(() => {}, 1);
  console.log(x);
  later();
  switch (kind) {
    case 'a':
      ${'later();\n'.repeat(60)}
  }
}
${'later().catch(planted);\n'.repeat(400)}`;

const EXPECTED = [
  'Do not use the global variable Date',
  'Do not use the global variable setTimeout',
  'Do not use the global variable console',
  'Randomness is a port',
  'lint/suspicious/noExplicitAny',
  'lint/nursery/noFloatingPromises',
  'lint/nursery/useExhaustiveSwitchCases',
  'lint/style/useImportType',
  'lint/style/noExcessiveLinesPerFile',
  'lint/complexity/noExcessiveLinesPerFunction',
  'lint/complexity/useMaxParams',
];

/** Services read files in projects only through guarded-files. */
const SERVICES = ['src/main/services', 'src/areas/one/node'];
const READS = `
import { readdirSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
export const reads = [open, readFile, readdirSync, stat];
`;
const GUARDED = 'read by guarded-files';

function plant(tree) {
  for (const folder of SERVICES) {
    mkdirSync(join(tree, folder), { recursive: true });
    writeFileSync(join(tree, folder, 'planted.ts'), READS);
  }
  for (const file of ['biome.json', '.gitignore']) copyFileSync(join(root, file), join(tree, file));
  cpSync(join(root, 'tools', 'check'), join(tree, 'tools', 'check'), { recursive: true });
  for (const folder of PURE) {
    mkdirSync(join(tree, folder), { recursive: true });
    writeFileSync(join(tree, folder, 'shape.ts'), 'export interface Shape {}\n');
    writeFileSync(join(tree, folder, 'planted.ts'), PLANTED);
  }
}

/** Throws unless every violation is reported in every pure folder. Returns the number of rules. */
export async function lintSelfTest() {
  const tree = mkdtempSync(join(tmpdir(), 'muster-lint-'));
  try {
    plant(tree);
    const biome = [
      modules('@biomejs', 'biome', 'bin', 'biome'),
      'lint',
      '--colors=off',
      '--max-diagnostics=none',
    ];
    for (const folder of PURE) {
      const { output } = await run(process.execPath, [...biome, `${folder}/planted.ts`], { cwd: tree });
      const missed = EXPECTED.filter((rule) => !output.includes(rule));
      if (missed.length > 0)
        throw new Error(missed.map((rule) => `not reported in ${folder}: ${rule}`).join('\n'));
    }
    for (const folder of SERVICES) {
      const { output } = await run(process.execPath, [...biome, `${folder}/planted.ts`], { cwd: tree });
      const reported = output.split(GUARDED).length - 1;
      if (reported !== 3) throw new Error(`${reported} of 3 unguarded reads were reported in ${folder}`);
    }
    return EXPECTED.length + 1;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}
