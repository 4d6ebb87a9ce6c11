import { expect, test, vi } from 'vitest';
import { late } from './load-on-call';

test('a lazy module is read once, at the first call, and called as itself', async () => {
  class Counter {
    #count = 0;
    async add(by: number): Promise<number> {
      this.#count += by;
      return this.#count;
    }
  }
  const read = vi.fn(async (): Promise<{ add(by: number): Promise<number> }> => new Counter());
  const counter = await Promise.resolve(late(read));
  expect(read).not.toHaveBeenCalled();
  expect(await Promise.all([counter.add(2), counter.add(3)])).toEqual([2, 5]);
  expect(read).toHaveBeenCalledTimes(1);
});

test('a lazy module that cannot be read fails the call', async () => {
  const broken = late(async (): Promise<{ go(): Promise<void> }> => {
    throw new Error('no such file');
  });
  await expect(broken.go()).rejects.toThrow('no such file');
});
