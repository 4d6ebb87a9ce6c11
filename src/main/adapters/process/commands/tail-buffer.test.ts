import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TailBuffer } from './tail-buffer';

test('the tail of a stream is its last bytes, however it is cut into chunks', () => {
  const chunk = fc.uint8Array({ maxLength: 40 }).map((bytes) => bytes.map((byte) => 32 + (byte % 90)));
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 30 }), fc.integer({ min: 1, max: 200 }), (chunks, limit) => {
      const tail = new TailBuffer(limit);
      for (const one of chunks) tail.push(one);
      const all = Buffer.concat(chunks);
      expect(tail.totalBytes).toBe(all.length);
      expect(tail.truncated).toBe(all.length > limit);
      expect(tail.text()).toBe(all.subarray(-limit).toString());
    }),
  );
});

test('a character at the cut is left out of the tail', () => {
  const tail = new TailBuffer(4);
  for (const byte of Buffer.from('aäöü')) tail.push(Buffer.of(byte));
  tail.push(Buffer.from('b'));
  expect(tail.text()).toBe('üb');
});

test('a stream of single bytes is kept in few chunks', () => {
  const tail = new TailBuffer(10_000);
  for (let index = 0; index < 30_000; index += 1) tail.push(Buffer.from(String(index % 10)));
  expect(tail.text()).toBe('0123456789'.repeat(1000));
});
