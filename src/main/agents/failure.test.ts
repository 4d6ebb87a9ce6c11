import { expect, test } from 'vitest';
import { describeExit, hostDeath, reportedFailure, sentenceFailure } from './failure';

const NOW = Date.UTC(2026, 10, 22, 22, 0);
const context = { agent: 'Claude', login: null, key: null, now: () => NOW, redact: (text: string) => text };

test.each([
  ["rate_limit: You've hit your limit · resets 3am (UTC)", Date.UTC(2026, 10, 23, 3)],
  ['Claude usage limit reached|1893456000', 1_893_456_000_000],
  ['weekly limit reached · resets Nov 24, 9am (UTC)', Date.UTC(2026, 10, 24, 9)],
  ['rate_limit: API Error: 429', null],
])('the limit "%s" is recognized with the time of its end', (detail, limitResetsAt) => {
  expect(reportedFailure(detail, context)).toMatchObject({ kind: 'limit', limitResetsAt });
});

test('a sentence in the place of a response is a limit or a missing login, and a response is none', () => {
  expect(sentenceFailure("You've hit your limit · resets 3am (UTC)", context)).toMatchObject({
    kind: 'limit',
    limitResetsAt: Date.UTC(2026, 10, 23, 3),
  });
  expect(sentenceFailure('Not logged in · Please run /login', context)).toMatchObject({
    error: { code: 'agent.auth_required' },
  });
  expect(sentenceFailure('The rate limit of the API is 60 a minute.', context)).toBeNull();
});

test('an agent that was lost with its guard does not count as ended by itself', () => {
  const exit = { code: null, signal: 'SIGKILL', host: 'guard' } as const;
  expect(describeExit(exit)).toBe("was lost: Muster's guard process of the agent died");
  expect(hostDeath(exit)).toBe("Muster's guard process of the agent died");
  expect(hostDeath({ ...exit, host: 'terminals' })).toBe("Muster's terminal host died");
  expect(hostDeath({ code: null, signal: 'SIGKILL' })).toBe(null);
  expect(describeExit({ code: null, signal: 'SIGKILL' })).toBe('was ended by SIGKILL');
  expect(describeExit({ code: 3, signal: null })).toBe('exited with code 3');
});
