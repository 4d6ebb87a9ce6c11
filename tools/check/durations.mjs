/**
 * Every timeout, limit of time and interval is in the table of its process, as a constant that names its unit and says
 * why, and so does every size of a mebibyte and more: what Muster keeps, reads and accepts. `node tools/check/durations.mjs`
 * prints all tables. A feature and a kind of agent have a table of their own.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../lib/paths.mjs';

/** Title and file of each table. */
const TABLES = [
  ['All processes', /^src\/contract\/limits\.ts$/],
  ['Window', /^src\/renderer\/limits\.ts$/],
  ['Main', /^src\/main\/limits\/main\.ts$/],
  ['Core', /^src\/main\/limits\/core(?:-sizes)?\.ts$/],
  ['Kinds of agents (core)', /^src\/main\/agents\/[^/]+\/limits\.ts$/],
  ['Areas and features (core and window)', /^src\/(?:areas|features)\/[^/]+\/contract\/limits\.ts$/],
  ['Terminal host', /^src\/main\/limits\/terminal-host\.ts$/],
  ['Sandbox', /^src\/main\/limits\/sandbox\.ts$/],
  ['Command line', /^src\/main\/limits\/command-line\.ts$/],
];
/** Where the units themselves are defined. */
const UNITS = /^src\/contract\/(?:time|size)-units\.ts$/;

/** A constant whose name ends in a unit of time, or a unit itself, and its value. */
const CONSTANT =
  /^(?:export )?const ((?:[A-Z][A-Z0-9_]*_)?(MS|S|SECONDS?|MINUTES?|HOURS?|DAYS?))\b[^=]*= ([-\d[({].*?);?$/;
/** A size in a table, and the forms of a size outside of them. */
const SIZE = /^export const ((?:[A-Z][A-Z0-9_]*_)?(BYTES|CHARS))\b[^=]*= (.*?);?$/;
const MEBIBYTES =
  /(?:^(?:export )?const [^=]*= |\w: )(?:\d+ \* )?(?:MIB|1024 \* 1024|2 \*\* [23]0)\b(?! [*/])/;
/** `startMs: 60_000`: a number with its unit in an object. */
const FIELD = /\b(\w+(?:Ms|Seconds|Minutes)): (\d[\d_]+\b[^,}]*)/;
/** The number passed to a timer, on the line of the call or at the end of a callback. */
const BARE = /(?:\b(?:setTimeout|setInterval)\(.*|^\s*\}), (?:\d[\d_]+)\)|\bAbortSignal\.timeout\(\d/;
/** A unit of time written as a product. */
const SPELLED = /\* (?:60_000|3_?600_000|86_400_000)\b/;

const sources = () =>
  readdirSync(join(root, 'src'), { recursive: true })
    .map((file) => `src/${String(file).split(sep).join('/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file) && !UNITS.test(file));

const isTable = (file) => TABLES.some(([, table]) => table.test(file));

/** Throws if a duration is outside of the tables or has no reason. Returns the number of durations. */
export function checkDurations() {
  const read = sources().map((file) => [file, readFileSync(join(root, file), 'utf8')]);
  const found = read.flatMap(([file, text]) => faultsIn(file, text));
  if (found.length > 0) throw new Error(found.join('\n'));
  const tables = read.filter(([file]) => isTable(file));
  return `${tables.flatMap(([, text]) => durationsIn(text)).length} durations in ${tables.length} tables`;
}

function faultsIn(file, text) {
  if (isTable(file))
    return durationsIn(text)
      .filter(({ why }) => why === '')
      .map(({ line, name }) => `${file}:${line}: ${name}: say why in a comment above it`);
  return text.split('\n').flatMap((line, index) => {
    const at = `${file}:${index + 1}`;
    if (BARE.test(line)) return [`${at}: name the number in the limits.ts of its process, and say why there`];
    if (MEBIBYTES.test(line))
      return [`${at}: a size of a mebibyte and more belongs into the limits.ts of its process`];
    if (SPELLED.test(line)) return [`${at}: use the unit of contract/time-units.ts`];
    const name = CONSTANT.exec(line)?.[1] ?? (isComment(line) ? undefined : FIELD.exec(line)?.[1]);
    return name === undefined ? [] : [`${at}: ${name}: belongs into the limits.ts of its process`];
  });
}

const isComment = (line) => /^\s*(?:\*|\/[/*])/.test(line);

function durationsIn(text) {
  const lines = text.split('\n');
  return lines.flatMap((one, index) => {
    const constant = CONSTANT.exec(one) ?? SIZE.exec(one);
    if (constant !== null) {
      const [, name, unit, value] = constant;
      return [{ line: index + 1, name, unit: unit.toLowerCase(), value, why: commentAbove(lines, index) }];
    }
    const field = isComment(one) ? null : FIELD.exec(one);
    if (field === null) return [];
    const [, name, value] = field;
    return [{ line: index + 1, name, unit: 'ms', value, why: commentOf(lines, name) }];
  });
}

/** The comment above the field's declaration in the interface. */
function commentOf(lines, name) {
  const at = lines.findIndex((line) => line.includes(`readonly ${name}:`));
  return at === -1 ? '' : commentAbove(lines, at);
}

/** The text of the comment that ends on the previous line; empty if there is none. */
function commentAbove(lines, index) {
  const before = lines[index - 1]?.trim() ?? '';
  if (before.startsWith('//')) return before.replace(/^\/\/\s*/, '');
  if (!before.endsWith('*/')) return '';
  const start = lines.findLastIndex((line, at) => at < index && line.trim().startsWith('/**'));
  const text = lines.slice(start, index).map((line) => line.trim().replace(/^\/?\*+\/?\s*|\s*\*\/$/g, ''));
  return text.filter((line) => line !== '').join(' ');
}

/** Throws unless exactly the planted faults are reported. Returns the number of planted faults. */
export function durationsSelfTest() {
  return proven('src/main/services/planted.ts', PLANTED) + proven('src/main/limits/core.ts', PLANTED_TABLE);
}

function proven(file, planted) {
  const found = faultsIn(file, planted)
    .map((one) => Number(one.split(':')[1]))
    .sort((one, other) => one - other);
  const wanted = planted.split('\n').flatMap((line, index) => (line.endsWith('// bad') ? [index + 1] : []));
  if (found.join() !== wanted.join())
    throw new Error(`planted in lines ${wanted.join()}, reported in lines ${found.join()}`);
  return wanted.length;
}

const PLANTED = `
/** How often files are read. */
const LOOK_MS = 400; // bad
export const WAIT_SECONDS = 20; // bad
const MINUTE = 60 * 1000; // bad
const PAUSES_MS = [1000, 4000] as const; // bad
const limits = { startMs: 60_000 }; // bad
const ROWS = 20;
const until = now + minutes * 60_000; // bad
const TEXT_BYTES = 2 * 1024 * 1024; // bad
const ALL = 1024 * 1024; // bad
const HALF = 4 * MIB; // bad
const LIMITS = { bytesPerFile: 1024 * 1024 }; // bad
const PIECE_BYTES = 64 * 1024;
const size = bytes / MIB;
setTimeout(() => look(), 400); // bad
setInterval(() => look(), 60_000).unref(); // bad
}, 2000); // bad
fetch(url, { signal: AbortSignal.timeout(5000) }); // bad
setTimeout(look, LOOK_MS);
setTimeout(look, 0);
setTimeout(look, minutes * MINUTE_MS);
`;

const PLANTED_TABLE = `
const SILENT_MS = 400; // bad
export const PAGE_BYTES = 2 * MIB; // bad

/** How often files are read. */
export const LOOK_MS = 400;
/**
 * How long one waits,
 * and no longer.
 */
export const WAIT_SECONDS = 20;
/** From the start to the session. */
readonly startMs: number;
startMs: 60_000,
readonly stopMs: number;
stopMs: 60_000, // bad
`;

function print() {
  for (const [title, table] of TABLES) {
    console.log(`\n## ${title}\n\n| name | value | unit | what for |\n| --- | --- | --- | --- |`);
    for (const file of sources().filter((one) => table.test(one)))
      for (const { name, value, unit, why } of durationsIn(readFileSync(join(root, file), 'utf8')))
        console.log(`| ${name} | ${value} | ${unit} | ${why} |`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) print();
