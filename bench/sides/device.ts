/** `device.js FOLDER`: the milliseconds that a commit cannot do without: 4 KiB more in a file, and the sync of them. */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { say } from '../kit/say';

const TIMES = 500;
const page = Buffer.alloc(4096, 1);
const file = openSync(join(process.argv[2] ?? '', 'device'), 'a');
const times = Array.from({ length: TIMES }, () => {
  const started = performance.now();
  writeSync(file, page);
  fdatasyncSync(file);
  return performance.now() - started;
});
closeSync(file);
say(times);
