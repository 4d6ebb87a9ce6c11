import { ok } from '@contract/result';
import { expect, test, vi } from 'vitest';
import type { InterruptedCheckout } from '../contract/procedures';
import { type CheckoutPort, CheckoutService } from './checkout-service';

const one = (id: string, running = false): InterruptedCheckout => ({
  id,
  what: 'Merge',
  path: '/p',
  startedAt: 1,
  running,
  headMoved: false,
  locked: false,
  files: [],
  counts: { after: 1, before: 1, half: 0, yours: 0 },
  text: `half changed ${id}`,
});

function serviceOver(found: InterruptedCheckout[]) {
  const notices = new Map<string, { text: string; checkout?: string | undefined }>();
  let heard = (): void => undefined;
  const checkouts: CheckoutPort = {
    interrupted: async () => found,
    settle: async (id) => {
      found.splice(
        found.findIndex((each) => each.id === id),
        1,
      );
      return ok({ text: 'Finished.' });
    },
    onChange: (listener) => {
      heard = listener;
    },
  };
  const service = new CheckoutService({
    checkouts,
    status: {
      notice: (notice) => void notices.set(notice.id, notice),
      withdraw: (id) => notices.delete(id),
    },
    statusChanged: () => undefined,
    logger: { info: () => {}, warn: () => {}, error: () => {} },
  });
  return { service, notices, changed: () => heard() };
}

test('a checkout that was left half changed is a notice with its change, until it is settled', async () => {
  const { service, notices } = serviceOver([one('a')]);
  await service.look();
  expect([...notices.values()]).toMatchObject([{ checkout: 'a', text: 'half changed a' }]);
  await service.settle('a', 'finish');
  expect(notices.size).toBe(0);
});

test('a git that still works is not a notice, and is looked at again until it has ended', async () => {
  vi.useFakeTimers();
  try {
    const found = [one('a', true)];
    const { service, notices } = serviceOver(found);
    await service.look();
    expect(notices.size).toBe(0);
    found[0] = one('a');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(notices.size).toBe(1);
    service.stop();
  } finally {
    vi.useRealTimers();
  }
});

test('a change that fails while the core runs is reported at once', async () => {
  const found: InterruptedCheckout[] = [];
  const { service, notices, changed } = serviceOver(found);
  await service.look();
  found.push(one('b'));
  changed();
  await vi.waitFor(() => expect(notices.size).toBe(1));
  service.stop();
});
