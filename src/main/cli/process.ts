import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { EXIT } from './exit';
import { openLink } from './link/open';
import { runProgram } from './program';

/**
 * The command line, `muster`: out/main/cli.js, under plain Node (20 or later) or Electron's, with or without a display.
 * `muster --help` tells the commands. The first Ctrl-C stops in order (a hosted run is parked, `muster resume` goes on
 * with it), the second at once. With --json everything on the standard output is JSON, errors too: `{"error": ...}`.
 *
 * Exit codes, which are a promise to scripts: 0 done, or the run that was waited for succeeded; 1 the run failed, or an
 * agent or a command did; 2 wrong usage or input; 3 a workflow is not valid; 4 the run was rejected; 5 it was
 * cancelled; 6 a gate waits; 7 no core can be reached or opened; 70 a fault of Muster; 130 stopped by a signal.
 */
/** This script is built into out/main/startup. */
const processDir = dirname(import.meta.dirname);
const root = join(processDir, '..', '..');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

// The packed command line is Electron, started as Node; the programs that it starts are not (asNode).
delete process.env.ELECTRON_RUN_AS_NODE;

const stop = new AbortController();
const onSignal = (): void => {
  if (stop.signal.aborted) process.exit(EXIT.interrupted);
  stop.abort();
};
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
// The reader of our output is gone (`muster list | head`): nothing more is to be said, and a hosted run is parked.
process.stdout.on('error', () => stop.abort());
process.stderr.on('error', () => undefined);

/** Asked on standard error, so that what is asked for stays apart. */
async function confirm(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return null;
  const asker = createInterface({ input: process.stdin, output: process.stderr });
  // readline turns Ctrl-C and Ctrl-D into `close` instead of a signal; both mean no.
  const closed = new Promise<string>((resolve) => asker.once('close', () => resolve('')));
  const reply = asker.question(`${question} [y/N] `).catch(() => '');
  const answer = await Promise.race([reply, closed]);
  asker.close();
  return /^y(es)?$/i.test(answer.trim());
}

// In a packed app, what other programs read lies beside the archive.
const unpacked = join(root.replace(/app\.asar$/, 'app.asar.unpacked'), 'resources');
const resourcesDir = existsSync(unpacked) ? unpacked : join(root, 'resources');
function currentFolder(read: () => string): string {
  try {
    return read();
  } catch {
    process.stderr.write(
      'muster: the current folder does not exist any more; go to another one, then try again\n',
    );
    process.exit(EXIT.usage);
  }
}
const installation = { processDir, resourcesDir, version };
const ended = runProgram({
  args: process.argv.slice(2),
  env: process.env,
  cwd: currentFolder(() => process.cwd()),
  version,
  out: process.stdout,
  err: process.stderr,
  stop: stop.signal,
  readInput: () => text(process.stdin),
  confirm,
  open: (folders, options) => openLink({ folders, installation }, options),
});
// Writes to a pipe are asynchronous: the empty write ends after them, and open sockets must not keep the process.
void ended.then((code) => process.stdout.write('', () => process.exit(code)));
