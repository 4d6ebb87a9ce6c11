/**
 * A file of code has at most 400 lines, including comments and templates; the linter counts a comment as one
 * line. Longer files are split by meaning.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trackedFiles } from '../lib/files.mjs';
import { root } from '../lib/paths.mjs';

const LONGEST = 400;
const isCode = (file) => /^(?:src|e2e|bench|tools)\/.*\.(?:tsx?|mjs|cjs|css|py)$/.test(file);

/** Throws if a file is too long. Returns the number of files that were read. */
export function checkFileLengths() {
  const files = trackedFiles().filter(isCode);
  const found = files.flatMap((file) => problemsOf(file, readFileSync(join(root, file), 'utf8')));
  if (found.length > 0) throw new Error(found.join('\n'));
  return `${files.length} files`;
}

function problemsOf(file, text) {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return lines > LONGEST ? [`${file}: ${lines} lines; ${LONGEST} at most`] : [];
}

/** Throws unless a long file is reported, and a file at the limit is not. Returns the number of long ones. */
export function fileLengthsSelfTest() {
  const text = (lines) => `/**\n${' *\n'.repeat(lines - 2)} */\n`;
  if (problemsOf('a.ts', text(LONGEST + 1)).length !== 1 || problemsOf('a.ts', text(LONGEST)).length !== 0)
    throw new Error('the check of the lengths of files missed or invented one');
  return 1;
}
