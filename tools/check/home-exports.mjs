/**
 * Refuses an export that no other file imports: the reader of such a file looks for users that do not exist. Tests and
 * the examples of CONTRIBUTING.md count as users; knip finds what not even its own file uses.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import ts from 'typescript';
import { planted } from '../examples/index.mjs';
import { trackedFiles } from '../lib/files.mjs';
import { root } from '../lib/paths.mjs';

const CODE = /\.(?:tsx?|[mc]js|[mc]ts)$/;
const OURS = /^src\/.*(?<!\.d)\.tsx?$/;
/** The check of durations reads the tables by their exports. */
const TABLE = /^src\/.*\blimits(?:\/[^/]+)?\.ts$/;
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '.d.mts', '/index.ts', '/index.tsx', '/index.mjs'];
/** Every export of a file counts as used: it is imported as a whole, or by a path that a program computes. */
const ALL = '*';

/** Throws if an export has no importer. Returns the number of exports. */
export function checkHomeExports() {
  const { entry } = JSON.parse(readFileSync(join(root, 'tools/check/knip.json'), 'utf8'));
  const isEntry = (file) => TABLE.test(file) || entry.some((glob) => matchesGlob(file, glob));
  const files = trackedFiles().filter((file) => CODE.test(file));
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const { count, problems } = homeExports(texts, { examples: planted(), isEntry });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return `${count} exports`;
}

function homeExports(texts, { examples = new Map(), isEntry = () => false } = {}) {
  const used = new Map();
  const use = (file, name) => used.set(file, (used.get(file) ?? new Set()).add(name));
  const found = [];
  for (const [file, text] of [...texts, ...examples]) {
    if (!CODE.test(file)) continue;
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    for (const { path, names } of importsIn(source))
      for (const target of targets(file, path, texts)) for (const name of names) use(target, name);
    if (texts.get(file) === text && OURS.test(file) && !isEntry(file)) found.push(...exportsIn(source));
  }
  const problems = found
    .filter(({ file, names }) => ![ALL, ...names].some((name) => used.get(file)?.has(name)))
    .map(
      ({ file, line, names }) =>
        `${file}:${line}: ${names.join(', ')}: no other file imports it (tests count)`,
    );
  return { count: found.length, problems };
}

/** The files that an import may mean. */
function targets(file, path, texts) {
  const [, room, rest] = /^@(areas|contract|features|main|renderer)\/(.*)$/.exec(path) ?? [];
  if (room === undefined && !path.startsWith('.')) return [];
  const target = (room === undefined ? join(dirname(file), path) : join('src', room, rest)).replace(
    /\?.*$/,
    '',
  );
  return ENDINGS.map((ending) => target + ending).filter((one) => texts.has(one));
}

/** What a file imports: by name, or as a whole where a path stands in any other place. */
function importsIn(source) {
  const found = [];
  const visit = (node) => {
    const { parent } = node;
    if (ts.isStringLiteralLike(node) && /^[.@]/.test(node.text)) {
      const isNamed = ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent);
      found.push({ path: node.text, names: isNamed ? namesOf(parent) : [ALL] });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function namesOf(node) {
  const list = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
  if (list === undefined) return ts.isExportDeclaration(node) ? [ALL] : [];
  if (!ts.isNamedImports(list) && !ts.isNamedExports(list)) return [ALL];
  return list.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
}

/** The declarations with `export` before them, without default exports. */
function exportsIn(source) {
  return source.statements.flatMap((node) => {
    const kinds = (ts.canHaveModifiers(node) ? (ts.getModifiers(node) ?? []) : []).map(({ kind }) => kind);
    if (!kinds.includes(ts.SyntaxKind.ExportKeyword) || kinds.includes(ts.SyntaxKind.DefaultKeyword))
      return [];
    const declared = ts.isVariableStatement(node) ? node.declarationList.declarations : [node];
    const names = declared.map(({ name }) => (name && ts.isIdentifier(name) ? name.text : null));
    if (names.includes(null)) return [];
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    return [{ file: source.fileName, line, names }];
  });
}

/** Exports with and without each kind of user. Throws unless exactly those without are reported. */
export function homeExportsSelfTest() {
  const texts = new Map([
    [
      'src/contract/a.ts',
      'export const atHome = 1;\nexport type Home = typeof atHome;\nexport const used = atHome;',
    ],
    ['src/contract/b.ts', "import { used } from './a';\nexport default used;"],
    ['src/contract/c.ts', 'export function tested() {}\nexport interface Whole {}'],
    ['src/main/c.test.ts', "import { tested } from '@contract/c';\ntested();"],
    ['src/main/d.ts', "export { Whole } from '../contract/c';\nconst late = import('./e');"],
    ['src/main/e.ts', 'export class Late {}'],
    ['src/main/index.ts', 'export const entry = 1;'],
  ]);
  const { problems } = homeExports(texts, { isEntry: (file) => file === 'src/main/index.ts' });
  const names = problems.map((one) => one.split(': ')[1]).join();
  if (names !== 'atHome,Home') throw new Error(`the check of exports missed or invented one: ${names}`);
  return 2;
}
