import type { Push, Topic } from '@contract/ipc';
import { beforeEach, expect, test } from 'vitest';
import { PushHub } from './hub';
import { WindowLine } from './window-line';

const run = (runId: number): Push => ({ topic: 'run', runId, events: [] });
const packed = (push: Push) => ({ topic: 'run', runId: 7, packed: JSON.stringify(push) });

class FakePort {
  readonly told: unknown[] = [];
  closed = false;
  postMessage(message: unknown): void {
    this.told.push(message);
  }
  close(): void {
    this.closed = true;
  }
}

let told: (push: Push) => void;
let topics: readonly Topic[];
let line: WindowLine;

beforeEach(() => {
  topics = [];
  const core = {
    onPush: (listener: typeof told) => {
      told = listener;
      return () => undefined;
    },
    follow: (next: Iterable<Topic>) => {
      topics = [...next];
    },
  };
  line = new WindowLine(new PushHub(core));
});

test('a page gets what it follows as text', () => {
  const port = new FakePort();
  line.connect(port);
  line.follow(['run:7']);
  told(run(7));
  line.flush();
  expect(topics).toEqual(['run:7']);
  expect(port.told).toEqual([[packed(run(7))]]);
});

test('another page has a line of its own, and hears nothing that was for the one before', () => {
  const [before, after] = [new FakePort(), new FakePort()];
  line.follow(['run:7']);
  line.connect(before);
  told(run(7));
  line.connect(after);
  expect(before).toMatchObject({ closed: true, told: [[packed(run(7))]] });
  expect(after.told).toEqual([]);
  line.flush();
  told(run(7));
  line.end();
  expect(after).toMatchObject({ closed: true, told: [[packed(run(7))]] });
  expect(topics).toEqual([]);
});
