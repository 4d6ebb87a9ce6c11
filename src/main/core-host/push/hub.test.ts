import type { Push, Topic } from '@contract/ipc';
import { expect, test } from 'vitest';
import { PushHub } from './hub';

/** A core whose pushes a test sends, and its last requested topics. */
function fakeCore() {
  let listener: (push: Push) => void = () => undefined;
  const core = {
    followed: [] as readonly Topic[],
    follow: (topics: Iterable<Topic>) => {
      core.followed = [...topics];
    },
    onPush: (next: (push: Push) => void) => {
      listener = next;
      return () => undefined;
    },
    push: (...pushes: Push[]) => pushes.forEach(listener),
  };
  return core;
}

/** The end of the turn in which something was pushed. */
const moment = () => new Promise<void>((resolve) => process.nextTick(resolve));

const run = (runId: number): Push => ({ topic: 'run', runId, events: [] });

test('Each follower gets the pushes of its own topics only, all of one moment together', async () => {
  const core = fakeCore();
  const hub = new PushHub(core);
  const heard: Record<string, Push[][]> = { first: [], second: [] };
  hub.follow(['run:1'], (pushes) => void heard.first?.push(pushes));
  hub.follow(['run:2', 'runs'], (pushes) => void heard.second?.push(pushes));
  core.push(run(1), run(2));
  core.push(run(3));
  expect(heard).toEqual({ first: [], second: [] });
  await moment();
  expect(heard).toEqual({ first: [[run(1)]], second: [[run(2)]] });
  expect(core.followed).toEqual(['run:1', 'run:2', 'runs']);
});

test('A follower that changed its topics or ended hears nothing of its former ones', async () => {
  const core = fakeCore();
  const hub = new PushHub(core);
  const heard: Push[][] = [];
  const follower = hub.follow(['run:1'], (pushes) => void heard.push(pushes));
  follower.change(['run:2']);
  core.push(run(1));
  core.push(run(2));
  follower.end();
  core.push(run(2));
  await moment();
  expect(heard).toEqual([]);
  expect(core.followed).toEqual([]);
});
