import { writeSync } from 'node:fs';
import { restoreDatabase } from '../backup/restore';

/** Restores a backup, names each step that it reaches, and stops for good at one of them. */
const [, , path = '', from = '', artifacts = '', stopAt = ''] = process.argv;
const restored = restoreDatabase({
  path,
  from,
  artifacts,
  reached: (step) => {
    writeSync(1, `${step}\n`);
    if (step === stopAt) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
writeSync(1, `${JSON.stringify(restored)}\n`);
