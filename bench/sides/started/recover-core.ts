/**
 * `recover-core.cjs FILE`: opens a store with unfinished runs and reports when the first of them has decided
 * and continues.
 */
import { BenchCore } from '../../kit/core';
import { say } from '../../kit/say';

const core = new BenchCore(process.argv[2] ?? '', {
  commands: {
    run() {
      say('goes on');
      return { done: new Promise(() => undefined), kill: () => undefined };
    },
  },
});
void core.engine.recover();
