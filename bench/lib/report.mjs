import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { root } from '../../tools/lib/paths.mjs';

const HEAD = ['what', 'ours', 'limit', 'ratio (rounds)', 'goal', 'verdict'];

/** A row without a ratio was not measured, and gives the reason. */
export function verdictOf({ ratio, goal, missing }) {
  if (missing !== undefined) return `not measured: ${missing}`;
  if (goal === undefined) return '-';
  const met = goal.atLeast === undefined ? ratio <= goal.atMost : ratio >= goal.atLeast;
  return met ? 'met' : 'MISSED';
}

export const goalOf = ({ goal }) =>
  goal === undefined ? '-' : goal.atLeast === undefined ? `<= ${goal.atMost}` : `>= ${goal.atLeast}`;

function cells(row) {
  return [
    row.what,
    row.ours ?? '-',
    row.limit ?? '-',
    row.ratios ?? row.ratio?.toFixed(2) ?? '-',
    goalOf(row),
    verdictOf(row),
  ];
}

export function tableOf(rows) {
  const lines = [HEAD, ...rows.map(cells)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  const draw = (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  return [draw(lines[0]), draw(widths.map((width) => '-'.repeat(width))), ...lines.slice(1).map(draw)].join(
    '\n',
  );
}

export function machine() {
  const processor = cpus()[0]?.model.trim() ?? 'unknown processor';
  return `${cpus().length} x ${processor}, ${Math.round(totalmem() / 2 ** 30)} GB, ${type()} ${release()}, Node ${process.versions.node}`;
}

/** Writes the table as Markdown and the figures as JSON, and returns the paths. */
export function writeReport(rows, { quick }) {
  const folder = join(root, '.cache', 'bench');
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const files = { markdown: join(folder, 'RESULTS.md'), json: join(folder, 'results.json') };
  const kind = quick ? ' A quick run: smaller databases and fewer rounds than the goals are meant for.' : '';
  const notes = rows.flatMap(({ what, note }) => (note === undefined ? [] : [`- ${what}: ${note}`]));
  writeFileSync(
    files.markdown,
    `# What \`npm run bench\` measured\n\n${at}, ${machine()}.${kind} Both sides of each row ran in turn in the same run.\n\n${tableOf(rows)}\n\n${notes.join('\n')}\n`,
  );
  const measured = rows.map((row) => ({ ...row, verdict: verdictOf(row) }));
  writeFileSync(
    files.json,
    `${JSON.stringify({ at, quick, machine: machine(), rows: measured }, null, 2)}\n`,
  );
  return files;
}
