/**
 * Refuses the worst patterns of prose: words that have a plainer one, sentences of more than 40 words in comments, and module
 * names that do not say what is inside. It reads comments, test titles and documents everywhere, and every line of the
 * window and the command line.
 */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { trackedFiles } from '../lib/files.mjs';
import { root } from '../lib/paths.mjs';

/** Word to better word. */
const WORDS = new Map([
  ['nobody', 'no one'],
  ['somebody', 'someone'],
  ['anybody', 'anyone'],
  ['anew', 'again'],
  ['for ever', 'permanently'],
  ['whoever', 'the caller'],
  ['what came of', 'the result of'],
  ['what comes of', 'the result of'],
  ['what became of', 'the result of'],
  ['what becomes of', 'what happens to'],
  ['of no account', 'does not count'],
  ['none any more', 'no longer one'],
]);
/** As a noun: permission. A finished worker "leaves". */
const LEAVE = /\b(?:ask(?:s|ed|ing)?(?: for)?|give(?:n|s)?|without|with|for) leave\b/i;
export const WORD = new RegExp(`\\b(${[...WORDS.keys()].join('|')})\\b`, 'i');

/** One word for tests. */
const OTHER_TEST = /^import \{[^}]*\bit\b[^}]*\} from 'vitest'/;

/** How a comment must not begin: a number is named after what it counts, with its unit. */
const COUNTED = /^\s*\*?\s*So (?:many|much|long)\b/;

/** Adverbs, participles and pictures: names of modules that do not say what is inside. */
const NAMES = `
  adopt askers away begun broken carry cut-short elsewhere first held keyed kept late later lazily left look-back need past
  rest room shown speak stray takes tally unanswered unsteady whole worked
`;
const NAME = new RegExp(`^(?:${NAMES.trim().split(/\s+/).join('|')})(?:\\.test)?\\.(?:tsx?|mjs)$`);

const LONGEST = 40;
const SELF = 'tools/check/prose.mjs';

const isText = (file) =>
  /\.(?:tsx?|mjs|md)$/.test(file) && !/\/__\w+__\/|^LICENSE/.test(file) && file !== SELF;
const isOnScreen = (file) =>
  /^src\/(?:renderer|(?:areas|features)\/[^/]+\/view|areas\/[^/]+\/node\/commands|main\/cli)\//.test(file) &&
  !/\.test\.tsx?$/.test(file);

/** Throws if prose breaks a rule. Returns the number of files that were read. */
export function checkProse() {
  const files = trackedFiles().filter(isText);
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const found = files.flatMap((file) => [...nameProblems(file), ...proseProblems(file, read(file))]);
  if (found.length > 0) throw new Error(found.join('\n'));
  return `${files.length} files`;
}

function nameProblems(file) {
  if (!file.startsWith('src/') || !NAME.test(basename(file))) return [];
  return [`${file}: name the module after what is inside`];
}

export function proseProblems(file, text) {
  const found = [];
  const lines = text.split('\n');
  const comments = commentsIn(lines, file.endsWith('.md'));
  for (const [index, line] of lines.entries()) {
    const read = isOnScreen(file) ? line : (comments[index] ?? titleIn(line, lines[index - 1] ?? ''));
    const word = WORD.exec(read)?.[1];
    if (word !== undefined)
      found.push(`${file}:${index + 1}: "${word}": write "${WORDS.get(word.toLowerCase())}"`);
    if (LEAVE.test(read)) found.push(`${file}:${index + 1}: "leave": write "permission"`);
    if (OTHER_TEST.test(line)) found.push(`${file}:${index + 1}: "it": write "test"`);
    if (COUNTED.test(comments[index] ?? ''))
      found.push(`${file}:${index + 1}: begin with what is counted, and its unit`);
  }
  if (!file.endsWith('.md')) found.push(...longSentences(file, comments));
  return found;
}

/** By line: the comment in it, or null. In a document, everything except code counts as comment. */
function commentsIn(lines, isDocument) {
  let inside = false;
  return lines.map((line) => {
    const start = line.trimStart();
    if (isDocument) {
      if (start.startsWith('```')) inside = !inside;
      return inside || start.startsWith('```') ? null : line;
    }
    if (inside || /^\{?\/\*/.test(start)) {
      inside = !start.slice(inside ? 0 : start.indexOf('/*') + 2).includes('*/');
      return start.replace(/^\{?\/?\*+\/?/, '').replace(/\*\/\}?.*$/, '');
    }
    return /^\/\/(.*)/.exec(start)?.[1] ?? /\s\/\/ ([^'"`]*)$/.exec(line)?.[1] ?? null;
  });
}

/** The title of a test, on the line of its call or on the next one. */
function titleIn(line, before) {
  const CALL = /\b(?:test|it|describe)(?:\.\w+(?:\([^()]*\))?)?\(/;
  if (!CALL.test(line) && !/\b(?:test|it|describe)(?:\.\w+(?:\([^()]*\))?)?\($/.test(before)) return '';
  return /(['"`])(.*?)\1\s*,/.exec(line)?.[2] ?? '';
}

function longSentences(file, comments) {
  const found = [];
  let begin = 0;
  let text = '';
  const flush = () => {
    for (const sentence of text.split(/[.!?:;](?=\s|$)|`[^`]*`|^\s*[-*\d]+\s/m)) {
      const count = sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;
      if (count > LONGEST)
        found.push(`${file}:${begin + 1}: a sentence of ${count} words; ${LONGEST} at most`);
    }
    text = '';
  };
  for (const [index, comment] of comments.entries()) {
    // Indented further than a sentence: a table or a sample.
    if (comment === null || comment.trim() === '' || /^\s{3}/.test(comment)) {
      flush();
      continue;
    }
    if (text === '') begin = index;
    text += `${comment} `;
  }
  flush();
  return found;
}

/** Each rule on text that breaks it once, and on text that breaks none. */
export function proseSelfTest() {
  const long = `// ${'word '.repeat(41)}end.`;
  const planted = [
    ['src/a.ts', '// Nobody waits.', 1],
    ['src/a.ts', '/** Begins\n * anew. */', 1],
    ['src/a.ts', "test('whoever asks is told', () => {});", 1],
    ['src/a.ts', "test(\n  'it lasts for ever',", 1],
    ['src/a.ts', "const nobody = 'anew';", 0],
    ['src/renderer/a.tsx', "const title = 'Nobody is here';", 1],
    ['a.md', 'Somebody else.\n```\nnobody\n```', 1],
    ['src/a.test.ts', "import { expect, it } from 'vitest';", 1],
    ['src/a.ts', '/** The agent asks for leave. */', 1],
    ['src/a.ts', '/** Files that agents leave behind. */', 0],
    ['src/a.ts', '/** So many are kept. */', 1],
    ['src/a.ts', '/** Those kept, so many they are. */', 0],
    ['src/a.ts', long, 1],
    ['src/a.ts', `// ${'word '.repeat(30)}end. ${'Word '.repeat(30)}end.`, 0],
  ];
  const wrong = planted.filter(([file, text, count]) => proseProblems(file, text).length !== count);
  if (wrong.length > 0 || nameProblems('src/main/later.ts').length !== 1)
    throw new Error(`the check of prose missed or invented a fault: ${JSON.stringify(wrong)}`);
  return planted.length + 1;
}
