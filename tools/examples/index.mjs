/**
 * The examples of CONTRIBUTING.md as code: a step, a kind of agent and a page, each with a folder and its
 * lines in the registries. They are copied into a copy of the sources, checked there against the boundaries and
 * tested; check/compiled.mjs compiles them.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { modules, root } from '../lib/paths.mjs';
import { must } from '../lib/run.mjs';
import * as agent from './agent/registry.mjs';
import * as page from './page/registry.mjs';
import * as step from './step/registry.mjs';

const copy = join(root, '.cache', 'examples');
const examples = { step, agent, page };
const COPIED = ['src', 'tools/check', 'tools/lib', 'tools/properties', 'tools/tsconfig'];
const SINGLE = ['package.json', 'tsconfig.json', 'vitest.config.ts'];

const read = (file) => readFileSync(join(root, file));

function* filesIn(folder) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (entry.isFile())
      yield join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .split(sep)
        .join('/');
  }
}

/** The content of the copy, by path. */
function wanted() {
  const files = new Map();
  for (const folder of COPIED) for (const file of filesIn(folder)) files.set(file, read(file));
  for (const file of SINGLE) files.set(file, read(file));
  for (const [file, text] of planted()) files.set(file, Buffer.from(text));
  return files;
}

/** The files of the examples and the registries with their lines, by path. */
export function planted() {
  const files = new Map();
  for (const [name, { folder, registry }] of Object.entries(examples)) {
    const from = `tools/examples/${name}/${folder.split('/').at(-1)}`;
    for (const file of filesIn(from)) files.set(`${folder}${file.slice(from.length)}`, read(file).toString());
    for (const [file, lines] of Object.entries(registry))
      files.set(file, registered(file, files.get(file) ?? read(file).toString(), lines));
  }
  return files;
}

const tests = () => [...Object.values(examples).map(({ test }) => test), 'src/main/agents/registry.test.ts'];

/** A registry with the lines of an example, each after its anchor text. */
function registered(file, text, lines) {
  return lines.reduce((before, [after, line]) => {
    const at = before.indexOf(after);
    if (at === -1) throw new Error(`${file} has no "${after}", after which an example stands`);
    return before.slice(0, at + after.length) + line + before.slice(at + after.length);
  }, text);
}

/** Writes only files that differ, so that a second check compiles little. */
function write(files) {
  mkdirSync(copy, { recursive: true });
  for (const folder of COPIED) removeOld(folder, files);
  for (const [file, content] of files) {
    const path = join(copy, file);
    if (same(path, content)) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const installed = join(copy, 'node_modules');
  mkdirSync(installed, { recursive: true });
  // A folder of its own: compilers keep what they know beside the packages, in a folder that stays.
  for (const name of readdirSync(installed)) if (!name.startsWith('.')) rmSync(join(installed, name));
  for (const name of readdirSync(modules())) {
    if (!name.startsWith('.')) symlinkSync(modules(name), join(installed, name), 'junction');
  }
}

function removeOld(folder, files) {
  let known = [];
  try {
    known = readdirSync(join(copy, folder), { recursive: true, withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of known) {
    const path = join(entry.parentPath, entry.name);
    if (
      entry.isFile() &&
      !files.has(
        path
          .slice(copy.length + 1)
          .split(sep)
          .join('/'),
      )
    )
      rmSync(path);
  }
}

function same(path, content) {
  try {
    return readFileSync(path).equals(content);
  } catch {
    return false;
  }
}

/** Throws if CONTRIBUTING.md does not show a line that registers an example. */
function checkDocument() {
  const document = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const missing = Object.values(examples)
    .flatMap(({ folder, registry }) => [
      folder,
      ...Object.entries(registry).flatMap(([file, lines]) => [file, ...lines.map(([, line]) => line.trim())]),
    ])
    .filter((words) => !document.includes(words));
  if (missing.length > 0) throw new Error(`CONTRIBUTING.md does not show:\n${missing.join('\n')}`);
}

/** Throws if an example breaks a boundary or fails its test. */
export async function checkExamples() {
  checkDocument();
  write(wanted());
  const node = (file, ...args) =>
    must(process.execPath, [modules(...file.split('/')), ...args], {
      background: true,
      cwd: copy,
      tail: 60,
      env: {
        ...process.env,
        VITEST_REPORT: join(copy, 'report.json'),
        NO_COLOR: '1',
        FORCE_COLOR: undefined,
      },
    });
  const folders = Object.values(examples).map(({ folder }) => folder);
  await node(
    ...['dependency-cruiser/bin/dependency-cruise.mjs', ...folders],
    ...[
      '--config',
      'tools/check/boundaries.mjs',
      '--do-not-follow',
      '(node_modules|^src/(?!.*/(checklist|echo|projects)/))',
    ],
  );
  return node('vitest/vitest.mjs', 'run', '--project=pure', '--project=unit', ...tests());
}
