/**
 * Reports every access `record[name]` and every `name in record` whose name is unknown at compile time. Such
 * an access can reach inherited properties (`constructor`, `__proto__`). A Map, or `ownValue` and `setOwnValue` of
 * `@contract/own`, cannot.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SyntaxKind } from 'typescript-native/unstable/ast';
import { TypeFlags } from 'typescript-native/unstable/sync';
import { Compiler } from './compiler.mjs';

/** The two functions themselves. */
const ALLOWED = join('src', 'contract', 'own.ts');

export const OWN_KEYS_HINT =
  'use a Map, or ownValue and setOwnValue of @contract/own, for names from outside';

/** Every unsafe access in these files of a project, as `file:line:column text`. */
export function outsideKeys(compiler, { program, checker }, files) {
  const found = [];
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source === undefined || source.isDeclarationFile) continue;
    const accesses = accessesIn(source);
    const types = (of) => (accesses.length === 0 ? [] : checker.getTypeAtLocation(accesses.map(of)));
    const names = types(({ name }) => name);
    const records = types(({ record }) => record);
    accesses.forEach(({ node, needsRecord }, index) => {
      if (!isText(names[index]) || (needsRecord && !isRecord(checker, records[index]))) return;
      const at = compiler.place(program, file, node.getStart());
      if (!at.startsWith(`${ALLOWED}:`)) found.push(`${at} ${node.getText()}`);
    });
  }
  return found;
}

function accessesIn(source) {
  const found = [];
  const visit = (node) => {
    if (node.kind === SyntaxKind.ElementAccessExpression && node.parent.kind !== SyntaxKind.DeleteExpression)
      found.push({ node, name: node.argumentExpression, record: node.expression, needsRecord: true });
    if (node.kind === SyntaxKind.BinaryExpression && node.operatorToken.kind === SyntaxKind.InKeyword)
      found.push({ node, name: node.left, record: node.right, needsRecord: false });
    node.forEachChild(visit);
  };
  visit(source);
  return found;
}

const kinds = (type) => (type === undefined ? [] : type.isUnionType() ? type.getTypes() : [type]);

/** Whether the type is a string that is not one of a few literals. */
const isText = (type) =>
  kinds(type).some(({ flags }) => (flags & (TypeFlags.String | TypeFlags.TemplateLiteral)) !== 0);

function isRecord(checker, type) {
  if (type === undefined) return false;
  return kinds(checker.getNonNullableType(type)).some((one) =>
    checker.getIndexInfosOfType(one).some(({ keyType }) => (keyType.flags & TypeFlags.String) !== 0),
  );
}

/** Throws unless exactly the planted accesses are reported. Returns the number of planted accesses. */
export function ownKeysSelfTest() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-own-')));
  const compiler = new Compiler(folder);
  try {
    const options = { strict: true, noUncheckedIndexedAccess: true };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }));
    writeFileSync(join(folder, 'planted.ts'), PLANTED);
    const found = outsideKeys(compiler, compiler.open('tsconfig.json'), [join(folder, 'planted.ts')]);
    const lines = found.map((one) => Number(one.split(':')[1]));
    const wanted = PLANTED.split('\n').flatMap((line, index) => (line.endsWith('// bad') ? [index + 1] : []));
    if (lines.join() !== wanted.join())
      throw new Error(`planted in lines ${wanted.join()}, reported in lines ${lines.join()}`);
    return wanted.length;
  } finally {
    compiler.close();
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
