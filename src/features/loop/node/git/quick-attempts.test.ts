import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Kit, movesOfFile } from '@main/adapters/git/testing/kit';
import { expect, test, vi } from 'vitest';
import { GitLoops } from './';

const moves = movesOfFile();

test('a log that another attempt overwrote before any look is still reported', async () => {
  const kit = new Kit();
  kit.init('a.txt');
  const place = { cwd: kit.project, folder: '.' };
  mkdirSync(join(kit.project, 'logs'));
  const log = join(kit.project, 'logs', 'codex-iteration-1.jsonl');
  const begin = (thread: string) =>
    writeFileSync(log, `{"type":"thread.started","thread_id":"${thread}"}\n{"type":"turn.failed"}\n`);
  const loops = new GitLoops(moves);
  let heard = 0;
  const end = await loops.follow(place, () => {
    heard += 1;
  });
  begin('T1');
  await vi.waitFor(() => expect(heard).toBeGreaterThan(0));
  const before = heard;
  begin('T2');
  await vi.waitFor(() => expect(heard).toBeGreaterThan(before));
  const found = await loops.logs(place);
  expect(found).toMatchObject({
    value: [
      { iteration: 1, gone: true },
      { iteration: 1, ended: true },
    ],
  });
  if (found.ok) expect(new Set(found.value.map(({ mark }) => mark)).size).toBe(2);
  end();
});
