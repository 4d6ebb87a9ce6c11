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

test('a refused connection is told in the words of the agent, which may mean a tool of it and not its model', () => {
  const detail = 'Internal error: MCP server x failed: connect ECONNREFUSED';
  const { error } = reportedFailure(detail, context);
  expect(error.message).toBe(`Claude reports a failed connection: ${detail}`);
  expect(error.mend).toMatch(/^If this is its model server: .* If it is an MCP server: check that one\./);
});

test('a refusal that does not say whether a login or a key is wrong names both ways out', () => {
  const { error } = reportedFailure('unexpected status 401 Unauthorized', {
    ...context,
    login: 'codex login',
  });
  expect([error.message, error.mend]).toEqual([
    'Claude’s provider refused its login or key: unexpected status 401 Unauthorized',
    'Log in with: codex login, or set a valid key; then try again.',
  ]);
});

test.each([
  [
    'unexpected status 401 Unauthorized: Missing bearer authentication in header',
    'Codex is not logged in',
    'Log in with: codex login',
  ],
  ['exceeded retry limit, last status: 429 Too Many Requests', 'Codex’s provider reports a limit', undefined],
])(
  'an expired login and a limit of Codex are told with its words and the way out: %s',
  (detail, words, mend) => {
    const { error, limitResetsAt } = reportedFailure(detail, {
      ...context,
      agent: 'Codex',
      login: 'codex login',
    });
    expect([error.message, error.mend, limitResetsAt]).toEqual([`${words}: ${detail}`, mend, null]);
  },
);

test('an agent that was lost with its guard does not count as ended by itself', () => {
  const exit = { code: null, signal: 'SIGKILL', host: 'guard' } as const;
  expect(describeExit(exit)).toBe("was lost: Muster's guard process of the agent died");
  expect(hostDeath(exit)).toBe("Muster's guard process of the agent died");
  expect(hostDeath({ ...exit, host: 'terminals' })).toBe("Muster's terminal host died");
  expect(hostDeath({ code: null, signal: 'SIGKILL' })).toBe(null);
  expect(describeExit({ code: null, signal: 'SIGKILL' })).toBe('was ended by SIGKILL');
  expect(describeExit({ code: 3, signal: null })).toBe('exited with code 3');
});
