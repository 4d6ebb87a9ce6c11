/** `device.js FOLDER`: the minimum milliseconds of a commit: 4 KiB appended to a file, and their sync. */
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
