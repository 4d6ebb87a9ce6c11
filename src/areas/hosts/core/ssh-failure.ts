import { type AppError, appError } from '@contract/errors';
import { firstWords } from './foreign-text';

/** The exit code of `ssh` when the connection, not the remote command, failed. */
export const SSH_FAILED = 255;

interface FailedSsh {
  readonly name: string;
  /** The operator's name for ssh. */
  readonly alias: string;
  readonly stderr: string;
  /** The fingerprint that `ssh -v` reported, if it is known. */
  readonly fingerprint?: string | null;
}

/** Failures that do not pass by themselves: a retry would only repeat them. */
export const isLasting = ({ code }: AppError): boolean => code !== 'host.unreachable';

/** What `ssh` meant, as one sentence and what to do. */
export function sshFailure({ name, alias, stderr, fingerprint = null }: FailedSsh): AppError {
  const shown = fingerprint ?? /SHA256:[A-Za-z0-9+/=]+/.exec(stderr)?.[0] ?? null;
  const key = shown === null ? '' : ` Its fingerprint is ${shown}.`;
  if (/REMOTE HOST IDENTIFICATION HAS CHANGED/.test(stderr))
    return appError('host.key', `The key of ${name} is not the one that ssh knows.${key}`, {
      mend: `Find out why it has changed. If it is right: ssh-keygen -R ${knownName(stderr) ?? alias}, then ssh ${alias}`,
    });
  if (/Host key verification failed|No .* host key is known/.test(stderr))
    return appError('host.key', `The key of ${name} is not known to ssh yet.${key}`, {
      mend: `Compare it with the host's own, and accept it: ssh ${alias}`,
    });
  const unresolved = /Could not resolve hostname ([^\s:]+)/.exec(stderr)?.[1];
  if (unresolved !== undefined)
    return appError(
      'host.unreachable',
      `No host "${unresolved}" is found: it is neither an entry of your ~/.ssh/config nor a known name.`,
      {
        mend: `Add it to ~/.ssh/config, and try: ssh ${alias}`,
      },
    );
  const methods = /Permission denied \(([^)]*)\)/.exec(stderr)?.[1];
  if (methods !== undefined) return refusedLogin({ name, alias }, methods);
  if (/Bad owner or permissions|Bad configuration option|terminating, \d+ bad configuration/.test(stderr))
    return appError('host.login', `The configuration of ssh cannot be used: ${lastLine(stderr)}`, {
      mend: `Correct the file that it names, and try: ssh ${alias}`,
    });
  const why = lastLine(stderr);
  return appError('host.unreachable', `${name} cannot be reached${why === '' ? '.' : `: ${why}`}`, {
    mend: `Check the network, and try: ssh ${alias}`,
  });
}

function refusedLogin({ name, alias }: { name: string; alias: string }, methods: string): AppError {
  const offered = methods.split(',');
  if (!offered.includes('publickey'))
    return appError(
      'host.login',
      `${name} accepts only a password, which Muster neither asks for nor stores.`,
      {
        mend: `Allow a key there, and copy yours: ssh-copy-id ${alias}`,
      },
    );
  return appError('host.login', `${name} accepts none of your keys without a question.`, {
    mend: `Add the key to your ssh agent, or copy it there: ssh-copy-id ${alias}`,
  });
}

/** `[host]:port` as it stands in known_hosts. */
const knownName = (stderr: string): string | null =>
  /ssh-keygen .*-R "?([^"\s]+)"?/.exec(stderr)?.[1] ??
  /[Hh]ost key for (\S+) has changed/.exec(stderr)?.[1] ??
  null;

const lastLine = (stderr: string): string =>
  firstWords(
    stderr
      .trim()
      .split(/\r?\n/)
      .filter((line) => !line.startsWith('debug1:') && line.trim() !== '')
      .at(-1) ?? '',
  );

/** `ssh -v` prints it before it decides whether the key is known. */
export const fingerprintIn = (stderr: string): string | null =>
  /Server host key: (\S+ SHA256:[A-Za-z0-9+/=]+)/.exec(stderr)?.[1] ?? null;
