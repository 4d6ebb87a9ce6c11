import { describe, expect, test } from 'vitest';
import { EndMark } from './exit-hold';

const MARK = 'abc123';
const SIGN = `\x1b]1337;MusterEnd=${MARK};0\x07`;

function through(text: string, sizes: (at: number) => number): { output: string; found: boolean } {
  const mark = new EndMark(MARK);
  const data = Buffer.from(text);
  const seen: Buffer[] = [];
  for (let at = 0; at < data.length; ) {
    const size = sizes(at);
    seen.push(mark.push(data.subarray(at, at + size)));
    at += size;
  }
  seen.push(mark.rest());
  return { output: Buffer.concat(seen).toString(), found: mark.found };
}

describe('the end mark', () => {
  test('the end mark is kept out of the output wherever the chunks are cut', () => {
    for (let size = 1; size < 60; size += 1) {
      expect(through(`some \x1b]1337;Must output${SIGN}`, () => size)).toEqual({
        output: 'some \x1b]1337;Must output',
        found: true,
      });
    }
  });

  test('the end mark of another terminal is output', () => {
    const other = '\x1b]1337;MusterEnd=zzz;0\x07 more';
    for (let size = 1; size < 30; size += 1) {
      expect(through(other, () => size)).toEqual({ output: other, found: false });
    }
  });

  test('an end mark that was cut off by the end of the stream is output', () => {
    expect(through(SIGN.slice(0, 12), () => 5)).toEqual({ output: SIGN.slice(0, 12), found: false });
  });

  test('nothing follows the end mark', () => {
    expect(through(`a${SIGN}b`, () => 3)).toEqual({ output: 'a', found: true });
  });
});
