/**
 * `unfinished.js FILE RUNS`: leaves a database like that of a core that is killed while many runs are half
 * done.
 */
import { BenchCore } from '../kit/core';
import { chain } from '../kit/workflows';

const [file = '', runs = ''] = process.argv.slice(2);
const HALF = 10;
let begun = 0;
let stuck = 0;

const core = new BenchCore(file, {
  commands: {
    run({ commandId }) {
      begun += 1;
      if (commandId < HALF) return { done: Promise.resolve(BenchCore.result), kill: () => undefined };
      stuck += 1;
      if (stuck === Number(runs)) {
        process.stdout.write(`${begun}\n`, () => process.kill(process.pid, 'SIGKILL'));
      }
      return { done: new Promise(() => undefined), kill: () => undefined };
    },
  },
});
for (let run = 0; run < Number(runs); run += 1) await core.start(chain(2 * HALF));
