/**
 * `ralph.js FOLDER MIB`: writes a loop's log of this many MiB, reads it as Muster does, and reports the
 * growth of memory.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { GitLoops } from '@features/loop/node/git';
import { CodexTally } from '../../src/areas/agents/contract/codex/facts';
import { CheckoutMoves } from '../../src/main/adapters/git/moves';
import { say } from '../kit/say';

const folder = process.argv[2] ?? '.';
const bytes = Number(process.argv[3] ?? 1) * 2 ** 20;

const line = (text: string): string =>
  `${JSON.stringify({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text } })}\n`;

/** Mostly small events, and occasionally one of a megabyte. */
function write(): void {
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const file = openSync(join(folder, 'logs', 'codex-iteration-1.jsonl'), 'w');
  const small = Buffer.from(line('A step of the work. '.repeat(20)).repeat(500));
  const large = Buffer.from(line('x'.repeat(2 ** 20)));
  for (let written = 0, turn = 0; written < bytes; turn += 1) {
    const piece = turn % 16 === 15 ? large : small;
    writeSync(file, piece);
    written += piece.length;
  }
  writeSync(file, '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}\n');
  closeSync(file);
}

write();
const tally = new CodexTally();
// Not the kernel's high-water mark: a process inherits its parent's.
const before = process.memoryUsage().rss;
let highest = before;
let lines = 0;
const reader = {
  line(text: string): void {
    tally.line(text);
    lines += 1;
    if (lines % 500 === 0) highest = Math.max(highest, process.memoryUsage().rss);
  },
};
const started = performance.now();
const looked = await new GitLoops(new CheckoutMoves({ dir: join(folder, 'moves') })).examine(
  { cwd: folder, folder: '.' },
  { iteration: 1, before: { head: null, progressBytes: 0, progressHash: '' }, mark: null },
  { logs: null, reader },
);
if (!looked.ok || tally.result()?.terminal !== 'completed') throw new Error('the log was not read');
highest = Math.max(highest, process.memoryUsage().rss);
say({ ms: performance.now() - started, mib: (highest - before) / 2 ** 20 });
