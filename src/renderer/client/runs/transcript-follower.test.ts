import type { TranscriptItem } from '@areas/sessions/contract/session';
import { appError } from '@contract/errors';
import { err, ok, type Result } from '@contract/result';
import { beforeEach, expect, test } from 'vitest';
import { type Read, TranscriptFollower, type TranscriptView } from './transcript-follower';

const said = (...texts: string[]): TranscriptItem[] => texts.map((text) => ({ type: 'text', text }));

let answers: ((result: Result<Read>) => void)[];
let view: TranscriptView | null;
let whole: number;
let follower: TranscriptFollower;

const text = () => view?.transcript.blocks.map((block) => ('text' in block ? block.text : '')).join('|');
async function answer(result: Result<Read>): Promise<void> {
  answers.shift()?.(result);
  await new Promise((resolve) => setImmediate(resolve));
}
const read = (...texts: string[]): Result<Read> => ok({ live: true, items: said(...texts) });

beforeEach(() => {
  answers = [];
  view = null;
  whole = 0;
  follower = new TranscriptFollower({
    fetch: () => new Promise((resolve) => answers.push(resolve)),
    show: (next) => {
      view = next;
    },
    whole: () => {
      whole += 1;
    },
  });
});

test('the follower shows streamed text at once, and earlier text as soon as that is read', async () => {
  void follower.read();
  follower.receive(0, said('a'));
  expect(text()).toBe('a');
  await answer(read('a'));
  follower.receive(1, said('b'));
  expect(text()).toBe('ab');
});

test('the follower keeps the last text, which came before the reply with the earlier text', async () => {
  void follower.read();
  follower.receive(2, said('c'));
  await answer(read('a', 'b'));
  expect(text()).toBe('abc');
  expect(answers).toEqual([]);
});

test('the follower reads missed text again, once', async () => {
  void follower.read();
  await answer(read('a'));
  follower.receive(3, said('d'));
  follower.receive(4, said('e'));
  expect(answers).toHaveLength(1);
  await answer(read('a', 'b', 'c'));
  expect(text()).toBe('abcde');
});

test('the follower believes the present core about the text that the last one had shown', async () => {
  void follower.read();
  await answer(read('a', 'b', 'lost with the core'));
  void follower.lost();
  await answer(read('a', 'b'));
  follower.receive(2, said('c'));
  expect(text()).toBe('abc');
});

test('the follower goes on behind a gap that no reading fills, and asks no more', async () => {
  void follower.read();
  await answer(read('a'));
  follower.receive(9, said('j'));
  await answer(read('a'));
  await answer(read('a'));
  await answer(read('a'));
  expect(text()).toBe('aj');
  follower.receive(10, said('k'));
  expect([text(), answers]).toEqual(['ajk', []]);
});

test('the follower says what failed, and reads again with the next text', async () => {
  void follower.read();
  await answer(err(appError('unavailable', 'no core')));
  expect([view?.status, view?.error?.message]).toEqual(['failed', 'no core']);
  follower.receive(1, said('b'));
  await answer(ok({ live: false, items: said('a', 'b') }));
  expect([view?.status, text(), whole]).toEqual(['ready', 'ab', 1]);
});
