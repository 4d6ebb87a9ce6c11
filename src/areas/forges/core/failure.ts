import { type AppError, appError } from '@contract/errors';

/** The parts of an HTTP answer that tell why a forge refused. */
interface Refusal {
  /** Null: no answer arrived. */
  readonly status: number | null;
  readonly message: string;
  header(name: string): string | null;
}

interface ForgeFailure {
  readonly error: AppError;
  /** When the forge takes requests again; null if it does not say. */
  readonly afterMs: number | null;
}

const LONGEST_MESSAGE = 300;

/** Milliseconds until the forge takes requests again. Hosts say it in one of three ways. */
function pauseOf({ header }: Refusal, now: number): number | null {
  const seconds = Number(header('retry-after') ?? Number.NaN);
  if (Number.isFinite(seconds) && seconds >= 0) return seconds * 1000;
  const reset = header('x-ratelimit-reset') ?? header('ratelimit-reset');
  const left = header('x-ratelimit-remaining') ?? header('ratelimit-remaining');
  if (left !== '0' || reset === null) return null;
  const at = Number(reset) * 1000;
  return Number.isFinite(at) ? Math.max(0, at - now) : null;
}

/** One clear error for each way in which a forge refuses. */
export function forgeFailure(refusal: Refusal, { host, now }: { host: string; now: number }): ForgeFailure {
  const { status } = refusal;
  const said = refusal.message.replace(/\s+/g, ' ').trim().slice(0, LONGEST_MESSAGE);
  const afterMs = pauseOf(refusal, now);
  const failed = (code: AppError['code'], message: string, mend: string): ForgeFailure => ({
    error: appError(code, message, { mend }),
    afterMs,
  });
  if (status === null)
    return failed(
      'forge.unreachable',
      `${host} cannot be reached: ${said}`,
      'Check the network and try again.',
    );
  if (status === 401)
    return failed(
      'forge.login',
      `${host} does not accept the token.`,
      'Log in again with gh, or store a new token under Agents, Secrets.',
    );
  if (status === 429 || (status === 403 && (afterMs !== null || /rate limit/i.test(said)))) {
    const until = afterMs === null ? 'a while' : `${Math.max(1, Math.ceil(afterMs / 60_000))} min`;
    return failed(
      'forge.limit',
      `${host} takes no more requests for ${until}: its rate limit is used up.`,
      'Muster continues by itself after that.',
    );
  }
  if (status === 403)
    return failed(
      'forge.refused',
      `${host} refuses this to the token: ${said}`,
      'Give the token the permission, or use another account.',
    );
  if (status === 404 || status === 410)
    return failed(
      'not_found',
      `${host} has no such repository, issue or pull request, or hides it from the token.`,
      'Check the git remote, and which repositories the token may read.',
    );
  if (status === 409 || status === 405 || status === 406)
    return failed(
      'conflict',
      `${host} refuses this now: ${said}`,
      'Read the pull request again: it has changed, or its rules are not met.',
    );
  if (status >= 500) return failed('forge.failed', `${host} has a problem (${status}).`, 'Try again later.');
  return failed(
    'forge.refused',
    `${host} refuses this (${status}): ${said}`,
    'Change what is refused and try again.',
  );
}
