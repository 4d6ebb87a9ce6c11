import { expect, test } from 'vitest';
import { bodyOf, readHook, readNotify, readPlain } from './signals';

const hook = (event: string, more: object = {}) =>
  readHook({ hook_event_name: event, session_id: 'a', ...more });

test('a line counts only with the token of this start', () => {
  expect(bodyOf('{"token":"t","body":{"a":1}}', 't')).toEqual({ a: 1 });
  expect(bodyOf('{"token":"u","body":{"a":1}}', 't')).toBeNull();
  expect(bodyOf('{"token":"t","bo', 't')).toBeNull();
});

test('hook events of Claude Code are read as signals', () => {
  expect(hook('SessionStart')).toEqual({ kind: 'started', session: 'a' });
  expect(hook('UserPromptSubmit', { prompt: 'x' })).toEqual({ kind: 'prompted', session: 'a' });
  expect(hook('Stop', { last_assistant_message: 'done' })).toEqual({
    kind: 'ended',
    session: 'a',
    response: 'done',
    prompt: null,
    failure: null,
  });
  expect(
    hook('StopFailure', { error: 'rate_limit', last_assistant_message: 'API Error: 429' }),
  ).toMatchObject({ kind: 'ended', response: null, failure: 'rate_limit: API Error: 429' });
  expect(hook('PermissionRequest', { tool_name: 'Write', tool_input: { file_path: '/w/a' } })).toMatchObject({
    kind: 'waiting',
    what: 'may it use Write: /w/a?',
  });
  expect(hook('Notification', { notification_type: 'idle_prompt' })).toMatchObject({ kind: 'ended' });
  expect(hook('Notification', { notification_type: 'auth_success' })).toBeNull();
  expect(hook('SomethingNew')).toBeNull();
  expect(readHook('no object')).toBeNull();
});

test('tools are reported with what they ran and printed', () => {
  const tool = { tool_name: 'Bash', tool_use_id: 'u1', tool_input: { command: 'npm test' } };
  expect(hook('PreToolUse', tool)).toMatchObject({
    kind: 'tool',
    call: { id: 'u1', title: 'Bash: npm test', kind: 'execute', status: 'in_progress' },
  });
  const response = { stdout: 'ok', stderr: 'warned', interrupted: false };
  expect(hook('PostToolUse', { ...tool, tool_response: response })).toMatchObject({
    call: { status: 'completed', output: 'ok\nwarned' },
  });
  expect(hook('PostToolUseFailure', { ...tool, error: 'Exit code 2' })).toMatchObject({
    call: { status: 'failed', output: 'Exit code 2' },
  });
});

test('the output of a tool of the Gemini CLI is read from its own field', () => {
  expect(hook('AfterAgent', { prompt: 'p', prompt_response: 'r' })).toMatchObject({
    kind: 'ended',
    response: 'r',
    prompt: 'p',
  });
});

test('the notify program of Codex is read as a signal', () => {
  const body = {
    type: 'agent-turn-complete',
    'thread-id': 't',
    'input-messages': ['one', 'two'],
    'last-assistant-message': 'done',
  };
  expect(readNotify(body)).toEqual({
    kind: 'ended',
    session: 't',
    response: 'done',
    prompt: 'two',
    failure: null,
  });
  expect(readNotify({ type: 'approval-requested' })).toBeNull();
});

test("signals of Muster's own helpers are read", () => {
  expect(readPlain({ type: 'ended', text: 'x' })).toMatchObject({
    kind: 'ended',
    response: 'x',
    session: null,
  });
  expect(readPlain({ type: 'waiting', session: 's' })).toMatchObject({ kind: 'waiting', session: 's' });
  expect(readPlain({ type: 'other' })).toBeNull();
});
