import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type FailureContext, failureOf, keyNameOf, reportedFailure } from './failure';
import { type FailureClass, failureClass, failureInstead } from './failure-table';

/** What real programs reported when a model server refused them or was unreachable. */
const TOLD: readonly (readonly [FailureClass, string, string])[] = [
  ['key_refused', 'Claude Code', 'Invalid API key · Fix external API key'],
  ['key_refused', 'Claude Code', 'Failed to authenticate. API Error: 401 Incorrect API key provided'],
  [
    'key_refused',
    'Codex',
    'unexpected status 401 Unauthorized: Incorrect API key provided: x. You can find your API key at https://platform.openai.com/account/api-keys., url: http://127.0.0.1:41411/v1/responses',
  ],
  ['key_refused', 'opencode', 'Internal error: Incorrect API key provided: session: APIError'],
  [
    'key_refused',
    'Gemini CLI',
    '{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}',
  ],
  ['key_refused', 'Qwen Code', '[API Error: 401 Incorrect API key provided: x.]'],
  [
    'key_refused',
    'Anthropic',
    'API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}',
  ],
  ['unauthorized', 'Claude Code, Codex over ACP', 'Authentication required'],
  ['unauthorized', 'Gemini CLI', '{"error":{"code":401,"status":"UNAUTHENTICATED"}}'],
  [
    'unauthorized',
    'Claude Code',
    'Failed to authenticate. API Error: 401 Invalid authentication credentials',
  ],
  ['logged_out', 'Claude Code', 'Not logged in · Please run /login'],
  ['logged_out', 'Claude Code', 'OAuth token revoked · Please run /login'],
  [
    'logged_out',
    'Claude Code',
    'OAuth token has expired. Please obtain a new token or refresh your existing token.',
  ],
  [
    'logged_out',
    'Codex',
    'Your access token could not be refreshed because your refresh token was revoked. Please log out and sign in again.',
  ],
  [
    'logged_out',
    'Codex',
    'Your access token could not be refreshed because you have since logged out or signed in to another account. Please sign in again.',
  ],
  ['logged_out', 'Codex', 'unexpected status 401 Unauthorized: Missing bearer authentication in header'],
  ['logged_out', 'Gemini CLI', 'Please set an Auth method in your settings.json or specify GEMINI_API_KEY'],
  ['logged_out', 'an agent', 'auth error: login expired'],
  ['quota', 'Claude Code', 'Credit balance is too low'],
  [
    'quota',
    'Claude Code',
    'Internal error: API Error: Request rejected (429) · You exceeded your current quota, please check your plan and billing details.: rate_limit',
  ],
  ['quota', 'Codex', 'Quota exceeded. Check your plan and billing details.'],
  [
    'quota',
    'Gemini CLI',
    '{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}',
  ],
  ['quota', 'OpenAI', 'insufficient_quota'],
  [
    'overloaded',
    'Claude Code',
    'API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.',
  ],
  [
    'overloaded',
    'Codex',
    'unexpected status 529 <unknown status code>: The server is currently overloaded with other requests. Sorry about that!',
  ],
  ['overloaded', 'Codex', 'We’re currently experiencing high demand, which may cause temporary errors.'],
  [
    'overloaded',
    'Gemini CLI',
    '{"error":{"code":503,"message":"The model is overloaded. Please try again later.","status":"UNAVAILABLE"}}',
  ],
  ['limit', 'Claude Code', "You've hit your limit · resets 3am (UTC)"],
  ['limit', 'Claude Code', 'Claude AI usage limit reached|1893456000'],
  [
    'limit',
    'Claude Code',
    "API Error: Request rejected (429) · This request would exceed your account's rate limit. Please try again later.",
  ],
  ['limit', 'Codex', 'exceeded retry limit, last status: 429 Too Many Requests'],
  ['limit', 'Codex', "You've hit your usage limit. Upgrade to Pro or try again at Nov 23rd, 2026 3:05 AM."],
  [
    'limit',
    'opencode',
    'Rate limit reached for gpt in organization org on tokens per min (TPM): Limit 30000. Please try again in 20s.',
  ],
  ['limit', 'Gemini CLI', 'Resource has been exhausted (e.g. check quota).'],
  [
    'limit',
    'Gemini CLI',
    '[API Error: You have exhausted your capacity on this model. Your quota will reset after 2h3m4s.]',
  ],
  ['limit', 'Qwen Code', '[API Error: 429 Rate limit reached for gpt. Please try again in 20s.]'],
  [
    'unreachable',
    'Claude Code',
    'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
  ],
  ['unreachable', 'Codex', 'Reconnecting... waiting for network (Connection failed: error sending request)'],
  [
    'unreachable',
    'Codex',
    'stream disconnected before completion: error sending request for url (http://127.0.0.1:9/v1/responses)',
  ],
  ['unreachable', 'Gemini CLI', 'Error: exception TypeError: fetch failed sending request'],
  ['unreachable', 'Qwen Code', '[API Error: Connection error. (cause: fetch failed)]'],
  [
    'stream_broken',
    'Claude Code',
    'API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again.',
  ],
  [
    'stream_broken',
    'Codex',
    'stream disconnected before completion: Transport error: network error: error decoding response body',
  ],
  ['stream_broken', 'Gemini CLI', 'Error when talking to Gemini API TypeError: terminated'],
  ['stream_broken', 'Qwen Code', '[API Error: terminated (cause: UND_ERR_SOCKET: other side closed)]'],
  [
    'server_error',
    'Claude Code',
    'API Error: 500 Internal server error. This is a server-side issue, usually temporary',
  ],
  ['server_error', 'Claude Code', 'API Error: 500 The server had an error while processing your request.'],
  [
    'server_error',
    'Gemini CLI',
    '{"error":{"code":500,"message":"An internal error has occurred.","status":"INTERNAL"}}',
  ],
];

test.each(TOLD)('the failure %s is recognized in the words of %s: %s', (what, _, words) => {
  expect(failureClass(words)).toBe(what);
});

interface Captured {
  readonly agent: string;
  readonly what: FailureClass;
  readonly text: string;
}
/**
 * What Codex 0.169.0, Claude Code 2.1.328, Gemini CLI 0.61.0 and Qwen Code 0.24.4 reported when a loopback
 * server answered with their providers' error formats, without retries if configurable. Ports are normalised.
 */
const captured: readonly Captured[] = JSON.parse(
  readFileSync(join(import.meta.dirname, '__captures__', 'failures.json'), 'utf8'),
);

test.each(captured)('the failure $what is recognized in the words of $agent: $text', ({ what, text }) => {
  expect(failureClass(text)).toBe(what);
});

test.each([
  'the build failed: token expected',
  'cannot write: the sandbox is read-only',
  'the file limits.ts has no export',
  'tool call failed: exit code 1',
  'The process was terminated by the operator',
])('another error is no known failure: %s', (words) => {
  expect(failureClass(words)).toBeNull();
});

test.each<[string, string]>([
  ['logged_out', 'Not logged in · Please run /login'],
  ['key_refused', 'Invalid API key · Fix external API key'],
  ['quota', 'Credit balance is too low'],
  ['limit', "You've hit your limit · resets 3am (UTC)"],
  ['unreachable', 'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)'],
  [
    'stream_broken',
    'API Error: Connection to the API was lost (ECONNRESET). This is usually temporary — try again.',
  ],
  ['stream_broken', '[API Error: terminated (cause: UND_ERR_SOCKET: other side closed)]'],
  ['other', 'API Error: something new'],
])('the failure %s is recognized in the place of an answer: %s', (what, words) => {
  expect(failureInstead(words)).toBe(what);
});

test.each([
  'The rate limit of the API is 60 a minute.',
  'I added a test for "rate limit reached" and one for 429.',
  'Retries now wait when the server says "Overloaded" or "529".',
  'The handler returns 401 Unauthorized where the API key is invalid.',
  'I fixed the API Error: the stream no longer breaks.',
  'Credit balance is too low to withdraw: the message is now translated.',
  'Done. If the quota is exceeded, the run waits.',
  `API Error: ${'a long analysis of it '.repeat(20)}`,
])('an answer about failures is an answer: %s', (words) => {
  expect(failureInstead(words)).toBeNull();
});

const NOW = Date.UTC(2026, 10, 22, 22, 0);
const context: FailureContext = {
  agent: 'Codex',
  login: 'codex login',
  key: null,
  now: () => NOW,
  redact: (text) => text.replaceAll('sk-1', '***'),
};

test('each failure has its own code and next step', () => {
  const told = (words: string, more: Partial<FailureContext> = {}) => {
    const { kind, error, limitResetsAt } = reportedFailure(words, { ...context, ...more });
    return [kind, error.code, error.mend ?? null, limitResetsAt === null ? null : limitResetsAt - NOW];
  };
  expect(told('Incorrect API key provided: sk-1', { key: 'OPENAI_API_KEY' })).toEqual([
    'failed',
    'agent.key_refused',
    'Set a valid key in OPENAI_API_KEY (Agents, Secrets; or the environment of Muster, followed by a restart).',
    null,
  ]);
  expect(told('Authentication required')).toEqual([
    'failed',
    'agent.auth_required',
    'Log in with: codex login, or set a valid key; then try again.',
    null,
  ]);
  expect(told('Authentication required', { key: 'MOCK_KEY' })[1]).toBe('agent.key_refused');
  expect(told('Quota exceeded. Check your plan and billing details.')).toEqual([
    'limit',
    'agent.quota',
    'Add credit at the provider, or use another profile or model; then send again.',
    null,
  ]);
  expect(told('You exceeded your current quota. Please retry in 42s.')).toEqual([
    'limit',
    'agent.limit',
    null,
    42_000,
  ]);
  expect(told('Rate limit reached. Please try again in 20s.')).toEqual([
    'limit',
    'agent.limit',
    null,
    20_000,
  ]);
  expect(told('Overloaded')).toEqual(['limit', 'agent.overloaded', null, 20_000]);
  expect(told('Connection refused')[1]).toBe('agent.unreachable');
  expect(told('stream disconnected before completion')[1]).toBe('agent.stream_broken');
  expect(told('API Error: 500 Internal server error')).toEqual([
    'failed',
    'agent.failed',
    'This usually passes: resume the run.',
    null,
  ]);
  expect(told('no idea')).toEqual(['failed', 'agent.failed', null, null]);
});

test("an agent's words are shown without its secrets", () => {
  expect(
    failureOf('key_refused', { detail: 'Incorrect API key provided: sk-1' }, context).error.message,
  ).toBe('Codex’s provider rejects the key: Incorrect API key provided: ***');
});

test('the key of a profile is found among its secrets and its environment by its name', () => {
  expect(keyNameOf({ secrets: ['OPENAI_API_KEY'], env: {} })).toBe('OPENAI_API_KEY');
  expect(keyNameOf({ secrets: [], env: { PATH: '/bin', ANTHROPIC_AUTH_TOKEN: 'x' } })).toBe(
    'ANTHROPIC_AUTH_TOKEN',
  );
  expect(keyNameOf({ secrets: [], env: { HOME: '/root' } })).toBeNull();
});
