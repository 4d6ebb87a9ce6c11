/**
 * Reports every access `record[name]` and every `name in record` whose name is unknown at compile time. Such
 * an access can reach inherited properties (`constructor`, `__proto__`). A Map, or `ownValue` and `setOwnValue` of
 * `@contract/own`, cannot.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { root } from '../lib/paths.mjs';

const CONFIGS = [
  'tools/tsconfig/pure.json',
  'src/main/tsconfig.json',
  'src/preload/tsconfig.json',
  'src/renderer/tsconfig.json',
];
/** The two functions themselves. */
const ALLOWED = join('src', 'contract', 'own.ts');

/**
 * Throws if a file of the product looks up a name in an unsafe way. Returns the number of files that were
 * read.
 */
export function checkOwnKeys() {
  const files = CONFIGS.flatMap((path) => read(join(root, path)).fileNames);
  const { options } = read(join(root, 'src', 'renderer', 'tsconfig.json'));
  const types = ['node'];
  const found = outsideKeys([...new Set(files)], { ...options, types }, root).filter(
    (one) => !one.startsWith(`${ALLOWED}:`),
  );
  if (found.length > 0)
    throw new Error(
      `use a Map, or ownValue and setOwnValue of @contract/own, for names from outside:\n${found.join('\n')}`,
    );
  return `${files.length} files`;
}

/** Throws unless exactly the planted accesses are reported. Returns the number of planted accesses. */
export function ownKeysSelfTest() {
  const folder = mkdtempSync(join(tmpdir(), 'muster-own-'));
  try {
    const file = join(folder, 'planted.ts');
    writeFileSync(file, PLANTED);
    const found = outsideKeys([file], { strict: true, noUncheckedIndexedAccess: true }, folder);
    const lines = found.map((one) => Number(one.split(':')[1]));
    const wanted = PLANTED.split('\n').flatMap((line, index) => (line.endsWith('// bad') ? [index + 1] : []));
    if (lines.join() !== wanted.join())
      throw new Error(`planted in lines ${wanted.join()}, reported in lines ${lines.join()}`);
    return wanted.length;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const PLANTED = `
declare const name: string;
export declare const kind: 'a' | 'b';
declare const count: number;
declare const record: Record<string, number>;
declare const partial: Partial<Record<string, number>> | undefined;
declare const list: number[];
record[name]; // bad
partial?.[name]; // bad
record[\`\${name}!\`]; // bad
record[name] = 1; // bad
name in record; // bad
delete record[name];
record[kind];
record.fixed;
list[count];
'fixed' in record;
`;

function read(configFile) {
  const { config } = ts.readConfigFile(configFile, ts.sys.readFile);
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(configFile));
}

/** Every unsafe access in these files, as `file:line:column text`. */
function outsideKeys(files, options, base) {
  const program = ts.createProgram(files, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const found = [];
  for (const source of program.getSourceFiles()) {
    if (source.isDeclarationFile || source.fileName.includes('/node_modules/')) continue;
    const visit = (node) => {
      if (isOutside(checker, node)) {
        const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
        const file = relative(base, source.fileName).split('/').join(sep);
        found.push(`${file}:${line + 1}:${character + 1} ${node.getText()}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return found;
}

function isOutside(checker, node) {
  if (ts.isElementAccessExpression(node))
    return (
      !ts.isDeleteExpression(node.parent) &&
      isText(checker, node.argumentExpression) &&
      isRecord(checker, node.expression)
    );
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.InKeyword &&
    isText(checker, node.left)
  );
}

const kinds = (type) => (type.isUnion() ? type.types : [type]);

/** Whether the type is a string that is not one of a few literals. */
function isText(checker, expression) {
  const open = ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral;
  return kinds(checker.getTypeAtLocation(expression)).some((type) => (type.flags & open) !== 0);
}

function isRecord(checker, expression) {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(expression));
  return kinds(type).some((one) => checker.getIndexInfoOfType(one, ts.IndexKind.String) !== undefined);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) checkOwnKeys();
