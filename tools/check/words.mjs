/**
 * All words that Muster shows. `npm run words` prints them by feature and folder, with file and line, so that one can read
 * what a feature says in one place; `npm run words -- src/features/team` prints those of one folder. The check refuses
 * what a reader stumbles over.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { trackedFiles } from '../lib/files.mjs';
import { root } from '../lib/paths.mjs';
import { WORD } from './prose.mjs';
import { wordsIn } from './words-in.mjs';

/** Text for people only. Elsewhere a text may also be for a model, or come from a model. */
const ON_SCREEN =
  /^src\/(?:renderer|(?:areas|features)\/[^/]+\/view|areas\/[^/]+\/node\/commands|main\/(?:cli|desktop|windows))\//;
const IN_WINDOW = /^src\/(?:renderer|(?:areas|features)\/[^/]+\/view)\//;

/** Names that are always capitalized. */
const NAMES = new Set(
  `Muster OpenClaw Claude Codex Code Gemini Cursor Copilot Goose Aider Git GitHub Markdown Electron Node Linux Windows Python
  Anthropic OpenAI Ollama Ed25519 Ctrl Cmd Shift Alt Enter Esc Escape Tab Space Backspace Delete Home End PageUp PageDown
  Page Up Down Left Right ArrowUp ArrowDown Option Meta Finder Explorer Ralph Agent Client Protocol Sunday Monday Context
  Prompts Terminals Settings Secrets JSON Schema Idempotency-Key Gateway`
    .trim()
    .split(/\s+/),
);

/** Each rule: its pattern, where it applies, and what to write instead. */
const RULES = [
  { find: WORD, where: () => true, write: 'a plainer word (tools/check/prose.mjs)' },
  { find: /\w\(s\)/, where: () => true, write: 'the singular or the plural, by the number' },
  { find: /[a-z]\.\.\.(?!\w|\/|\])/, where: (file) => IN_WINDOW.test(file), write: 'an ellipsis: …' },
  {
    find: /(?<![\w/.-])(?!data_)[a-z]+(?:_[a-z]+)+(?![\w/.-])/,
    where: (file) => IN_WINDOW.test(file),
    write: 'words instead of an internal name',
  },
  {
    find: /\b\w+'(?:s|t|re|ve|ll)\b|\b\w+s' (?=[a-z])/,
    where: (file) => ON_SCREEN.test(file),
    write: 'a typographic apostrophe: ’',
  },
  { find: /[a-z]{2} {2,}[a-z]{2}/, where: (file) => IN_WINDOW.test(file), write: 'one space' },
  {
    find: /\b(?:please|successfully|oops|simply|in order to|time-out|can not|e\.g\.|i\.e\.|mend(?:s|ed|ing)?|befell|hitherto|whereby|thereof|is no more)\b/i,
    where: (file) => ON_SCREEN.test(file) || /^src\/(?:areas|features|main)\//.test(file),
    write: 'a plainer word, or nothing',
  },
];

const isShown = (file) =>
  /^src\/.*\.tsx?$/.test(file) &&
  !/\.test\.tsx?$|\/testing\/|component-page|^src\/sandbox-page|loop\/core\/judge\/plain-words/.test(file);

/** All texts, by group. */
function allWords() {
  const groups = new Map();
  for (const file of trackedFiles().filter(isShown)) {
    const words = wordsIn(file, readFileSync(join(root, file), 'utf8'));
    if (words.length === 0) continue;
    const group = groupOf(file);
    groups.set(group, [...(groups.get(group) ?? []), ...words.map((one) => ({ file, ...one }))]);
  }
  return groups;
}

/** A feature, or a folder of the platform three or four deep. */
const groupOf = (file) =>
  file
    .split('/')
    .slice(0, -1)
    .slice(0, /^src\/(?:areas|features)\//.test(file) ? 3 : 4)
    .join('/');

/** Throws if a text breaks a rule. Returns the number of texts that were read. */
export function checkWords() {
  const all = [...allWords().values()].flat();
  const found = all.flatMap((one) => problemsOf(one));
  if (found.length > 0) throw new Error(found.join('\n'));
  return `${all.length} texts`;
}

function problemsOf({ file, line, said: whole }) {
  const said = whole.replace(/`[^`]*`/g, '{}');
  const found = RULES.flatMap(({ find, where, write }) => {
    const bad = where(file) ? find.exec(said)?.[0] : undefined;
    return bad === undefined ? [] : [`${file}:${line}: "${bad}": write ${write}`];
  });
  const capital = IN_WINDOW.test(file) ? titleCase(said) : undefined;
  return capital === undefined ? found : [...found, `${file}:${line}: "${capital}": write sentence case`];
}

/** A capital in the middle of a sentence, in a word that is no name. */
function titleCase(text) {
  const words = text.split(/(\s+)/);
  return words.find((word, index) => {
    const before = words.slice(0, index).join('');
    const begins = /(?:^|[.!?:…“"(‹›{}/·|-])\s*$/.test(before) || before === '';
    const bare = /^[A-Z][a-z]+(?:-[A-Z][a-z]+)?(?=$|[^\w-])/.exec(word)?.[0];
    return bare !== undefined && !begins && !NAMES.has(bare);
  });
}

const PLANTED = [
  ['src/renderer/a.tsx', '<p title="Nobody waits">{name}</p>', 1],
  ['src/main/a.ts', "fail('wait anew for it')", 1],
  ['src/renderer/a.tsx', '<p>{count} file(s) changed</p>', 1],
  ['src/renderer/a.tsx', '<p>Loading the run...</p>', 1],
  ['src/renderer/a.tsx', "field({ label: 'Silence Timeout' })", 1],
  [
    'src/renderer/a.tsx',
    "field({ label: 'Silence timeout of Claude Code', name: 'silence_timeout of it' })",
    0,
  ],
  ['src/renderer/a.tsx', "say('The port data_ok_out is empty')", 0],
  ['src/renderer/a.tsx', "say('The field on_interrupt is empty')", 1],
  ['src/renderer/a.tsx', "<p>The agent's session ended</p>", 1],
  ['src/main/cli/a.ts', "say(`Could not read the agent's file `)", 1],
  ['src/main/core/a.ts', "say('Mend the file, then try again')", 1],
  [
    'src/renderer/a.tsx',
    "import { it } from './for ever and a day'; const a: 'for ever is' = b === 'for ever is' ? 1 : 2;",
    0,
  ],
];

/** Throws unless exactly the planted faults are reported. Returns the number of planted texts. */
export function wordsSelfTest() {
  const wrong = PLANTED.filter(([file, source, count]) => {
    const found = wordsIn(file, source).flatMap((one) => problemsOf({ file, ...one }));
    return found.length !== count;
  });
  if (wrong.length > 0)
    throw new Error(`the check of words missed or invented a fault: ${JSON.stringify(wrong)}`);
  return PLANTED.length;
}

function print(below) {
  for (const [group, words] of allWords()) {
    const wanted = words.filter(({ file }) => file.startsWith(below));
    if (wanted.length > 0) console.log(`\n## ${group}`);
    let last = '';
    for (const { file, line, text } of wanted) {
      if (file !== last) console.log(`\n${file}`);
      last = file;
      console.log(`${String(line).padStart(5)}  ${text.replace(/\s*\n\s*/g, ' ⏎ ')}`);
    }
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) print(process.argv[2] ?? 'src/');
