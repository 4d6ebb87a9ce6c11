/**
 * Refuses titles of tests that are no sentences: a failure report names a test without what surrounds it. Nothing here
 * knows grammar. It finds a verb or a conjunction in the place of the subject, a pronoun without its noun, and titles in
 * which no word can be a verb.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trackedFiles } from '../lib/files.mjs';
import { root } from '../lib/paths.mjs';

const TITLE = /^(['"`])((?:\\.|(?!\1)[^\\])*)\1,/;
/** A call whose first argument may be a title, or a table or a condition that the title follows. */
const CALL = /^[ \t]*(test|it|describe)((?:\.\w+)*)(?:<[^(]*>)?\(\s*/gm;
const SECOND_CALL = /\)\(\s*(?=['"`])/g;

const SUBJECTLESS = `and or but nor also not that which whose so then else it its they them their those these this
  is are was were has have had does do did can cannot may must never will would`;
const OTHER_START = /^one (?:that|who|whose|which|of)\b/i;

/** Verbs, some of which are plural nouns as well: what follows decides. */
const VERBS = `accepts asks begins cancels checks closes comes commits copies counts covers cuts drops ends fails finds
  follows forgets gets gives goes hands has hears hides holds ignores joins keeps knows leaves lets lists loads loses makes
  marks matches moves names needs offers opens parks parses passes posts prints puts queues reads rebuilds recovers refuses
  rejects remembers removes replaces reports restarts retries returns runs saves says sees sends sets shows starts stays
  stops stores survives takes tells throws tries uses waits withdraws works writes`;
/** Followed by these, even a plural noun is a verb. */
const OBJECTS = `a all an another any anything both each every everything how it its no not nothing once only one the
  their them two until what whatever when whether`;
/** And by these, if the title has no other verb. */
const PREPOSITIONS = `about after again as at back beside beyond by for from in of off on out over to up where with without`;

const FINITE = `are be can cannot could did do does had has have is may might must never shall should was were will would
  answer apply begin come differ end exit fail fit follow get give go hold join keep leave lie make mean meet need reach
  read run say see show stand start stay take wait work`;

const words = (list) => list.trim().split(/\s+/).join('|');
const NO_SUBJECT = new RegExp(`^(?:${words(SUBJECTLESS)})\\b`, 'i');
const VERB_FIRST = new RegExp(`^(?:${words(VERBS)}) (?:${words(OBJECTS)}|%\\w)(?:\\s|$|,)`);
const VERB_ALONE = new RegExp(`^(?:${words(VERBS)}) (?:${words(PREPOSITIONS)})\\b`);
const ANY_FINITE = new RegExp(`^\\S+ .*\\b(?:${words(FINITE)})\\b`, 'i');
const ANY_ENDING = /^\S+ .*\b[a-z]+(?:s|ed)\b/;

const isTest = (file) => /^(?:src|e2e|tools)\/.*\.(?:test|spec)\.(?:tsx?|mjs)$/.test(file);

/** Throws if a title is no sentence. Returns the number of files that were read. */
export function checkTitles() {
  const files = trackedFiles().filter(isTest);
  const found = files.flatMap((file) => titleProblems(file, readFileSync(join(root, file), 'utf8')));
  if (found.length > 0) throw new Error(found.join('\n'));
  return `${files.length} files`;
}

export function titleProblems(file, text) {
  return titlesIn(text).flatMap(({ title, at }) => {
    const fault = faultOf(title);
    return fault === null
      ? []
      : [`${file}:${text.slice(0, at).split('\n').length}: "${title}": ${fault}; write a whole sentence`];
  });
}

/** The titles of tests, without those of groups, which are labels. */
function titlesIn(text) {
  const found = [];
  for (const call of text.matchAll(CALL)) {
    if (call[1] === 'describe' || call[2].startsWith('.describe')) continue;
    const start = call.index + call[0].length;
    const title = /\.(?:each|runIf|skipIf)$/.test(call[2]) ? secondTitle(text, start) : titleAt(text, start);
    if (title !== null) found.push(title);
  }
  return found;
}

function titleAt(text, at) {
  const title = TITLE.exec(text.slice(at, at + 400))?.[2];
  return title === undefined ? null : { title, at };
}

function secondTitle(text, start) {
  SECOND_CALL.lastIndex = start;
  const end = SECOND_CALL.exec(text);
  return end === null ? null : titleAt(text, end.index + end[0].length);
}

function faultOf(title) {
  if (title.split(/\s+/).length < 3) return 'fewer than three words';
  if (NO_SUBJECT.test(title) || OTHER_START.test(title)) return 'it has no subject';
  const hasFinite = ANY_FINITE.test(title);
  if (VERB_FIRST.test(title) || (VERB_ALONE.test(title) && !hasFinite)) return 'it begins with its verb';
  return hasFinite || ANY_ENDING.test(title) ? null : 'it has no verb';
}

/** Fragments of each kind in each place of a title, and sentences. */
export function titlesSelfTest() {
  const planted = [
    ["test('keeps the order', () => {});", 1],
    ["  test('a merge keeps the order of its parts', () => {});", 0],
    ["test('waits for a restart', () => {});", 1],
    ["test('tests in a run are counted', () => {});", 0],
    ["test('is done once', () => {});", 1],
    ["test(\n  'and is not done twice',\n  async () => {});", 1],
    ["test('it ends', () => {});\ntest('one that ended is gone', () => {});", 2],
    ["test('in a plain folder', () => {});", 1],
    ["test('profiles', () => {});", 1],
    ["test.each([1, 2])('%s', (one) => {});", 1],
    ["test.each([\n  ['a', 1],\n] as const)('takes the %s', (one) => {});", 1],
    ["test.each([\n  ['a', 1],\n])(\n  'a reader takes the %s',\n  (one) => {});", 0],
    ["describe('a reader', () => {});\ndescribe.each([1])('%s', () => {});", 0],
    ["const other = fail('is', one)('is not', two);", 0],
  ];
  const wrong = planted.filter(([text, count]) => titleProblems('src/a.test.ts', text).length !== count);
  if (wrong.length > 0)
    throw new Error(`the check of titles missed or invented a fault: ${JSON.stringify(wrong)}`);
  return planted.length;
}
