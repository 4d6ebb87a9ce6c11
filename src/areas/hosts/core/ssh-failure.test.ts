import { expect, test } from 'vitest';
import { fingerprintIn, isLasting, sshFailure } from './ssh-failure';

const of = (stderr: string) => sshFailure({ name: 'gpu1', alias: 'gpu', stderr });

test.each([
  [
    'ssh: Could not resolve hostname gpu: Name or service not known',
    'host.unreachable',
    /No host "gpu" is found/,
  ],
  [
    'ssh: connect to host gpu port 22: Connection refused',
    'host.unreachable',
    /cannot be reached: ssh: connect to host gpu port 22: Connection refused/,
  ],
  ['', 'host.unreachable', /^gpu1 cannot be reached\.$/],
  ['op@gpu: Permission denied (password,keyboard-interactive).', 'host.login', /accepts only a password/],
  ['op@gpu: Permission denied (publickey,password).', 'host.login', /accepts none of your keys/],
  ['Host key verification failed.', 'host.key', /key of gpu1 is not known to ssh yet\.$/],
  ['Bad owner or permissions on /home/op/.ssh/config', 'host.login', /configuration of ssh cannot be used/],
])('the words of ssh "%s" become one clear error', (stderr, code, message) => {
  expect(of(stderr)).toMatchObject({
    code,
    message: expect.stringMatching(message),
    mend: expect.stringMatching(/gpu|file/),
  });
});

test('the fingerprint of an unknown key is read from the log of ssh', () => {
  expect(
    fingerprintIn('debug1: Server host key: ssh-ed25519 SHA256:abc+/=\r\nHost key verification failed.'),
  ).toBe('ssh-ed25519 SHA256:abc+/=');
});

test('only what may pass by itself is tried again', () => {
  expect([of(''), of('Host key verification failed.')].map(isLasting)).toEqual([false, true]);
});
