/**
 * Checks that the files named in a document exist: in a tree below its folder, elsewhere by the end of their
 * path.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trackedFiles } from '../lib/files.mjs';
import { root } from '../lib/paths.mjs';

/** Documents about the past only, and folders of sample text. */
const LEFT_OUT = /^(?:CHANGELOG\.md|docs\/|resources\/|.*__\w+__\/)/;
/** A name in code marks or in the drawing of a path, with the extension of a source file. */
const NAME = /(?<![\w./-])((?:[\w.-]+\/)*[\w.-]+\.(?:tsx?|mjs|grit))\b/g;

/** Throws if a document names a missing file. Returns the number of names. */
export function checkDocuments() {
  const files = trackedFiles();
  const documents = files.filter((file) => file.endsWith('.md') && !LEFT_OUT.test(file));
  const read = documents.map((file) => [file, namesIn(readFileSync(join(root, file), 'utf8'))]);
  const ends = endsOf(files);
  const found = read.flatMap(([file, names]) =>
    names.filter((name) => !ends.has(name)).map((name) => `${file}: there is no ${name}`),
  );
  if (found.length > 0) throw new Error(found.join('\n'));
  return `${read.flatMap(([, names]) => names).length} names of files`;
}

const namesIn = (text) => [...new Set([...text.matchAll(NAME)].map(([, name]) => name))];

/** Each file by all suffixes of its path: `client.ts`, `link/client.ts`, `cli/link/client.ts`, ... */
function endsOf(files) {
  const ends = new Set();
  for (const file of files) {
    const parts = file.split('/');
    for (let from = 0; from < parts.length; from += 1) ends.add(parts.slice(from).join('/'));
  }
  return ends;
}

/** Throws unless exactly the missing files are reported. Returns the number of planted names. */
export function documentsSelfTest() {
  const ends = endsOf(['src/one/two.ts', 'three.mjs']);
  const text =
    'See `one/two.ts`, `two.ts` and three.mjs; `four.ts` → one/five.tsx, `x/two.ts`, not `six.md`.';
  const missing = namesIn(text).filter((name) => !ends.has(name));
  if (missing.join(' ') !== 'four.ts one/five.tsx x/two.ts')
    throw new Error(`the check of documents missed or invented a file: ${missing}`);
  return missing.length;
}
