import { newKeySchema } from '@contract/ids';
import { expect, test } from 'vitest';
import { Drafts } from './drafts';
import { SendKeys } from './send-keys';
import { newUid } from './uid';

const PLACE = 'session/1/2/prompt';

function open(kept: { value: string | null } = { value: null }) {
  const storage = {
    getItem: () => kept.value,
    setItem: (_: string, next: string) => {
      kept.value = next;
    },
  };
  const drafts = new Drafts(
    () => storage,
    () => undefined,
  );
  const keys = new SendKeys(drafts);
  /** As the window shows a place: it reports each text. */
  const type = (...texts: string[]) => {
    for (const text of texts) keys.drafted(PLACE, text);
  };
  return { keys, type, kept };
}

test('the made keys are accepted by the core, and each differs', () => {
  const made = Array.from({ length: 100 }, () => newUid());
  expect(new Set(made).size).toBe(100);
  for (const key of made) expect(newKeySchema.safeParse(key).success).toBe(true);
  expect(newUid(1).slice(0, 10)).toBe('0000000001');
});

test('a draft that was not answered keeps its key as long as it is the same', () => {
  const { keys, type } = open();
  const first = keys.begin(PLACE, 'Go on');
  // The field can be used during the sending.
  type('');
  first.unanswered();
  type('Go on');
  const second = keys.begin(PLACE, 'Go on');
  expect(second.key).toBe(first.key);
  type('');
  second.unanswered();
  type('Go on', 'Go on!');
  expect(keys.begin(PLACE, 'Go on!').key).not.toBe(first.key);
});

test('a draft that was emptied and written again means something new', () => {
  const { keys, type } = open();
  const first = keys.begin(PLACE, 'Go on');
  type('');
  first.unanswered();
  type('Go on', 'Go o', '', 'G', 'Go on');
  expect(keys.begin(PLACE, 'Go on').key).not.toBe(first.key);
});

test('a draft that was answered gets a new key, also where the same words follow at once', () => {
  const { keys, type } = open();
  const first = keys.begin(PLACE, 'Go on');
  type('', 'Go on');
  const second = keys.begin(PLACE, 'Go on');
  expect(second.key).not.toBe(first.key);
  first.answered();
  // The answer to the first sending says nothing about the second.
  second.unanswered();
  type('Go on');
  const third = keys.begin(PLACE, 'Go on');
  expect(third.key).toBe(second.key);
  third.answered();
  expect(keys.begin(PLACE, 'Go on').key).not.toBe(third.key);
});

test('a draft that came back in front of newer text is another one', () => {
  const { keys, type } = open();
  const first = keys.begin(PLACE, 'Go on');
  type('', 'And then?');
  first.unanswered();
  type('Go on\nAnd then?');
  expect(keys.begin(PLACE, 'Go on\nAnd then?').key).not.toBe(first.key);
});

test('a key is kept with the draft when the window is closed', () => {
  const { keys, kept } = open();
  const first = keys.begin(PLACE, 'Go on');
  first.unanswered();
  const next = open(kept);
  next.type('Go on');
  expect(next.keys.begin(PLACE, 'Go on').key).toBe(first.key);
});
