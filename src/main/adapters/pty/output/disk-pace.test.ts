import { expect, test } from 'vitest';
import { DiskPace } from './disk-pace';

test('a disk that made a write wait is left alone, longer each time, until it is quick again', () => {
  let now = 0;
  const disk = new DiskPace(() => now);
  const write = (ms: number) =>
    disk.measure(() => {
      now += ms;
    });
  expect(disk.isQuick).toBe(true);
  write(1);
  expect(disk.isQuick).toBe(true);
  for (const pause of [1_000, 2_000, 4_000]) {
    write(300);
    now += pause - 1;
    expect(disk.isQuick).toBe(false);
    now += 1;
    expect(disk.isQuick).toBe(true);
  }
  write(1);
  write(300);
  now += 1_000;
  expect(disk.isQuick).toBe(true);
});
