import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedOutside, newHistory, recorded, redone, type TextHistory, undone } from './history';

const text = fc
  .array(fc.constantFrom('a\n', 'b\r\n', 'c: # x\n', '\n', 'end'), { maxLength: 12 })
  .map((parts) => parts.join(''));

function ways(history: TextHistory, way: typeof undone): TextHistory {
  const next = way(history);
  return next === null ? history : ways(next, way);
}

test('undoing all changes gives the first text, and redoing them the last', () => {
  fc.assert(
    fc.property(text, fc.array(text, { maxLength: 20 }), (first, texts) => {
      let history = newHistory(first);
      texts.forEach((one, at) => {
        history = recorded(history, one, { at: at * 5_000 });
      });
      const back = ways(history, undone);
      expect(back.text).toBe(first);
      expect(ways(back, redone).text).toBe(history.text);
    }),
  );
});

test('two hundred changes can be undone one by one', () => {
  let history = newHistory('0\n');
  for (let at = 1; at <= 200; at += 1) history = recorded(history, `${at}\n`, { at });
  for (let at = 199; at >= 0; at -= 1) {
    history = undone(history) ?? history;
    expect(history.text).toBe(`${at}\n`);
  }
  expect(undone(history)).toBeNull();
});

test('typing in one field is one step, until a pause or another field', () => {
  let history = newHistory('');
  history = recorded(history, 'h', { group: 'title', at: 0 });
  history = recorded(history, 'he', { group: 'title', at: 400 });
  history = recorded(history, 'hey', { group: 'title', at: 900 });
  history = recorded(history, 'hey\nx', { group: 'id', at: 1_000 });
  history = recorded(history, 'hey\nxy', { group: 'id', at: 3_000 });
  const texts: string[] = [];
  for (let one = undone(history); one !== null; one = undone(one)) texts.push(one.text);
  expect(texts).toEqual(['hey\nx', 'hey', '']);
});

test('changes of other lines are undone around a change from outside', () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index}\n`);
  const base = lines.join('');
  const line = fc.integer({ min: 0, max: 9 });
  fc.assert(
    fc.property(fc.array(fc.tuple(line, fc.nat(99)), { maxLength: 12 }), fc.nat(12), (changes, when) => {
      let history = newHistory(base);
      const outside = (value: string) => value.replace('line 20\n', 'changed\nby another\n');
      changes.forEach(([at, word], index) => {
        if (index === when) history = changedOutside(history, outside(history.text));
        const rows = history.text.split('\n');
        rows[at] = `word ${word}`;
        history = recorded(history, rows.join('\n'), { at: index * 5_000 });
      });
      if (when >= changes.length) history = changedOutside(history, outside(history.text));
      expect(ways(history, undone).text).toBe(outside(base));
    }),
  );
});

test('a step whose lines were changed from outside is forgotten, and none is undone wrongly', () => {
  let history = newHistory('a\nb\nc\n');
  history = recorded(history, 'a\nB\nc\n', { at: 0 });
  history = recorded(history, 'a\nB\nc\nd\ne\nf\n', { at: 5_000 });
  history = changedOutside(history, 'a\nother\nc\nd\ne\nf\n');
  const back = undone(history);
  expect(back?.text).toBe('a\nother\nc\n');
  expect(back === null ? null : undone(back)).toBeNull();
});
