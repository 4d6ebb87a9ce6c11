import { expect, it } from 'vitest';
import { type StatusParts, StatusService } from './status-service';

const notice = (id: string, text: string) => ({ id, level: 'warning' as const, text });

function service() {
  const parts = {
    engine: { all: () => [] },
    store: {
      health: () => ({ state: 'ok', since: 0, detail: null }),
      spendSince: () => ({ tokens: 0, costUsd: 0, untoldTurns: 0 }),
      databaseBytes: () => 0,
      path: '',
      notices: [notice('store', 'set aside')],
    },
    clock: { now: () => 0 },
    pid: 1,
  };
  const status = new StatusService(parts as unknown as StatusParts);
  return { status, texts: () => status.status().notices.map(({ text }) => text) };
}

it('what is told again takes the place of what was told, and is told though that was dismissed', () => {
  const { status, texts } = service();
  status.notice(notice('given-up', 'one'));
  status.notice(notice('given-up', 'two'));
  expect(texts()).toEqual(['set aside', 'two']);
  status.dismiss('given-up');
  status.dismiss('store');
  expect(texts()).toEqual([]);
  status.notice(notice('given-up', 'three'));
  expect(texts()).toEqual(['three']);
});

it('is taken back where it is so no more, and never grows without end', () => {
  const { status, texts } = service();
  status.notice(notice('away', 'away'));
  expect([status.takeBack('away'), status.takeBack('away')]).toEqual([true, false]);
  for (let index = 0; index < 500; index += 1) status.notice(notice(`terminal ${index}`, `${index}`));
  expect(texts().length).toBeLessThan(30);
  expect(texts().at(-1)).toBe('499');
});
