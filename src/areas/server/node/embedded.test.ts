import { expect, onTestFinished, test } from 'vitest';
import { testPostgres } from './testing/postgres';

test('an embedded PostgreSQL starts, is started again after a crash, and ends when it is stopped', async () => {
  const postgres = await testPostgres();
  onTestFinished(() => postgres.remove());
  const first = postgres.pid();
  expect(first).not.toBeNull();
  process.kill(first ?? 0, 'SIGQUIT');
  await expect.poll(() => postgres.pid()).not.toBe(first);
  await expect.poll(() => postgres.pid()).not.toBeNull();
  await postgres.stop();
  expect(postgres.pid()).toBeNull();
});
