/**
 * `terminals-hidden.js ours|node-pty FILE COUNT FOLDER`: the milliseconds in which so many programs at once print this
 * file through the forked terminal process into files, no one looking; or through node-pty alone, which drops all; and
 * the processor time that it took. Ours also says whether each file is the source, with the terminal's line ends.
 */
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node-pty';
import { countProcessorTime } from '../kit/processor';
import { say } from '../kit/say';

const [side, file = '', count = '', folder = ''] = process.argv.slice(2);
const numbers = Array.from({ length: Number(count) }, (_, index) => index);
const SIZE = { cols: 80, rows: 24 };

interface FromHost {
  readonly kind: string;
  readonly id?: string;
  readonly exit?: { readonly bytes: number };
}

async function ours() {
  const host = fork(join(import.meta.dirname, 'terminal-host.js'), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const waiting = new Map<string, (bytes: number) => void>();
  const ready = new Promise<void>((resolve) => {
    host.on('message', (message: FromHost) => {
      if (message.kind === 'hello') resolve();
      if (message.kind === 'refused') throw new Error(JSON.stringify(message));
      if (message.kind === 'exited') waiting.get(message.id ?? '')?.(message.exit?.bytes ?? 0);
    });
  });
  host.send({ kind: 'init', dataDir: folder });
  await ready;
  // The measured time ends when everything is on disk, in one file.
  host.send({ kind: 'limits', terminalBytes: 4_000_000_000 });
  const outputPath = (number: number) => join(folder, `${number}.log`);
  const used = countProcessorTime(host.pid ?? 0);
  const started = performance.now();
  const bytes = await Promise.all(
    numbers.map((number) => {
      const spec = {
        file: '/bin/cat',
        args: [file],
        cwd: folder,
        env: { PATH: process.env.PATH ?? '' },
        ...SIZE,
        outputPath: outputPath(number),
        hold: true,
        keep: false,
      };
      const done = new Promise<number>((resolve) => waiting.set(String(number), resolve));
      host.send({ kind: 'create', id: String(number), spec });
      return done;
    }),
  );
  const ms = performance.now() - started;
  const processors = used();
  host.disconnect();
  await new Promise((resolve) => host.once('exit', resolve));
  const wanted = await hashOf(file, true);
  let same = 0;
  for (const number of numbers) {
    if ((await hashOf(outputPath(number), false)) === wanted) same += 1;
    rmSync(outputPath(number));
  }
  return { ms, ...processors, bytes: bytes.reduce((sum, one) => sum + one, 0), same };
}

async function hashOf(path: string, lineEnds: boolean): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    if (lineEnds) hash.update((chunk as Buffer).toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
    else hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

async function nodePty() {
  let bytes = 0;
  const used = countProcessorTime(process.pid);
  const started = performance.now();
  await Promise.all(
    numbers.map(() => {
      const pty = spawn('/bin/cat', [file], {
        ...SIZE,
        encoding: null,
        cwd: folder,
        env: { PATH: process.env.PATH ?? '' },
      });
      pty.onData((data) => {
        bytes += data.length;
      });
      return new Promise<void>((resolve) => void pty.onExit(() => resolve()));
    }),
  );
  const ms = performance.now() - started;
  return { ms, ...used(), bytes, same: 0 };
}

say(await (side === 'ours' ? ours() : nodePty()));
process.exit();
