/**
 * Every time-out, limit of time and interval is a constant that names its unit and says why: no bare number is handed to a
 * timer. `node tools/check/durations.mjs` prints them all, by the process in which they count.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../lib/paths.mjs';

const CONSTANT = /^(?:export )?const ([A-Z][A-Z0-9_]*_(MS|S|SECONDS|MINUTES))\b[^=]*= (.*?);?$/;
/** The number that a timer is given, on the line of the call or at the end of a callback. */
const BARE = /(?:\b(?:setTimeout|setInterval)\(.*|^\s*\}), (?:\d[\d_]+)\)|\bAbortSignal\.timeout\(\d/;

/** The first that fits. Adapters of the terminal host count there; a feature's core and services in the core. */
const PROCESSES = [
  ['Window', /^src\/(?:renderer|preload|features\/[^/]+\/view)\//],
  ['Sandbox', /^src\/(?:sandbox-page|main\/sandbox(?:-host)?)\//],
  ['Command line', /^src\/(?:main\/cli|features\/[^/]+\/node\/commands)\//],
  ['Terminal host', /^src\/main\/(?:pty-host|adapters\/pty)\//],
  ['Main', /^src\/main\/(?:desktop|windows|startup|supervise|ipc)\//],
  ['Core', /./],
];

const sources = () =>
  readdirSync(join(root, 'src'), { recursive: true })
    .map((file) => `src/${String(file).split(sep).join('/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/testing\//.test(file));

/** Throws where a duration has no unit, no reason or no name. Gives the number of durations. */
export function checkDurations() {
  const read = sources().map((file) => [file, readFileSync(join(root, file), 'utf8')]);
  const found = read.flatMap(([file, text]) => faultsIn(file, text));
  if (found.length > 0) throw new Error(found.join('\n'));
  return `${read.flatMap(([, text]) => durationsIn(text)).length} durations`;
}

function faultsIn(file, text) {
  const lines = text.split('\n');
  const bare = lines.flatMap((line, index) =>
    BARE.test(line) ? [`${file}:${index + 1}: give the number a name with its unit, and say why`] : [],
  );
  const silent = durationsIn(text)
    .filter(({ why }) => why === '')
    .map(({ line, name }) => `${file}:${line}: ${name}: say why in a comment above it`);
  return [...bare, ...silent];
}

function durationsIn(text) {
  const lines = text.split('\n');
  return lines.flatMap((one, index) => {
    const match = CONSTANT.exec(one);
    if (match === null) return [];
    const [, name, unit, value] = match;
    return [{ line: index + 1, name, unit: unit.toLowerCase(), value, why: commentAbove(lines, index) }];
  });
}

/** The text of the comment that ends on the line before; empty where there is none. */
function commentAbove(lines, index) {
  const before = lines[index - 1]?.trim() ?? '';
  if (before.startsWith('//')) return before.replace(/^\/\/\s*/, '');
  if (!before.endsWith('*/')) return '';
  const start = lines.findLastIndex((line, at) => at < index && line.trim().startsWith('/**'));
  const text = lines.slice(start, index).map((line) => line.trim().replace(/^\/?\*+\/?\s*|\s*\*\/$/g, ''));
  return text.filter((line) => line !== '').join(' ');
}

/** Throws unless each planted fault is reported, and nothing else. Gives the number of planted faults. */
export function durationsSelfTest() {
  const found = faultsIn('planted.ts', PLANTED)
    .map((one) => Number(one.split(':')[1]))
    .sort((one, other) => one - other);
  const wanted = PLANTED.split('\n').flatMap((line, index) => (line.endsWith('// bad') ? [index + 1] : []));
  if (found.join() !== wanted.join())
    throw new Error(`planted in lines ${wanted.join()}, reported in lines ${found.join()}`);
  return wanted.length;
}

const PLANTED = `
const SILENT_MS = 400; // bad

/** How often files are read. */
const LOOK_MS = 400;
/**
 * How long one waits,
 * and no longer.
 */
export const WAIT_SECONDS = 20;
const ROWS = 20;
setTimeout(() => look(), 400); // bad
setInterval(() => look(), 60_000).unref(); // bad
}, 2000); // bad
fetch(url, { signal: AbortSignal.timeout(5000) }); // bad
setTimeout(look, LOOK_MS);
setTimeout(look, 0);
setTimeout(look, seconds * 1000);
`;

function print() {
  const rows = sources().flatMap((file) =>
    durationsIn(readFileSync(join(root, file), 'utf8')).map((one) => ({ ...one, file })),
  );
  for (const [title] of PROCESSES) {
    console.log(`\n## ${title}\n\n| value | unit | what for | where |\n| --- | --- | --- | --- |`);
    for (const { file, line, unit, value, why } of rows)
      if (PROCESSES.find(([, of]) => of.test(file))?.[0] === title)
        console.log(`| ${value} | ${unit} | ${why} | ${file}:${line} |`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) print();
