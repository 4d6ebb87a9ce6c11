/**
 * What can go wrong between an agent and its provider. Each has its own remedy; `unauthorized` is a refusal
 * that does not say whether a key or a login is missing.
 */
export type FailureClass =
  | 'quota'
  | 'key_refused'
  | 'logged_out'
  | 'overloaded'
  | 'limit'
  | 'unauthorized'
  | 'unreachable'
  | 'stream_broken'
  | 'server_error';

/**
 * Patterns that recognise failures of all kinds of agents; the first match counts. Applied to what an agent
 * reports as an error, never to its answers.
 */
const FAILURES: readonly (readonly [FailureClass, RegExp])[] = [
  [
    'quota',
    /insufficient[_ ](?:quota|funds|credits?)|exceeded your current quota|quota exceeded\. check your plan|credit balance|billing_(?:error|hard_limit)|payment required|\b402\b|run out of credits|exceeded[^.\n]{0,30}(?:credits?|funds)|(?:spending|credit) limit/i,
  ],
  [
    'key_refused',
    /(?:incorrect|invalid|wrong|bad) (?:x-)?(?:api|auth\w*)[ -]?key|invalid x-api-key|api[ _-]?key (?:is |has )?(?:not valid|invalid|expired|revoked|been revoked|not found)|api_key_invalid|invalid_api_key|fix external api key/i,
  ],
  [
    'logged_out',
    /not logged in|not authenticated|log ?in required|\blogin expired|please (?:run|use|type)?[^.\n]{0,40}\/?\blog ?in\b|sign in (?:with|again)|log in again|(?:token|login|credentials?) (?:has |have |is |was )?(?:expired|revoked)|access token could not be refreshed|missing bearer|(?:missing|no) (?:api|x-api|auth\w*)[ -]?key|set an auth method/i,
  ],
  [
    'overloaded',
    /overloaded|\b529\b|at capacity|(?:experiencing )?high demand|server (?:is )?busy|service unavailable|\b503\b/i,
  ],
  [
    'limit',
    /rate[ _-]?limit|too many requests|\b429\b|(?:usage|session|weekly|daily|hourly|request|5-hour)s? limit|limit reached\|\d|hit your (?:\w+ )?limit|quota (?:exceeded|exhausted)|(?:exceeded|exhausted)[^.\n]{0,30}(?:quota|capacity)|resource[ _]?(?:has been )?exhausted/i,
  ],
  [
    'unauthorized',
    /authentication[_ ](?:required|failed|error)|failed to authenticate|\bauth (?:failed|error)|unauthori[sz]ed|unauthenticated|\b401\b/i,
  ],
  [
    'unreachable',
    /error sending request|connection refused|econnrefused|enotfound|eai_again|getaddrinfo|no such host|unable to connect|cannot connect|connection (?:error|failed)|fetch failed|network is unreachable|waiting for network|dns error/i,
  ],
  [
    'stream_broken',
    /stream (?:disconnected|closed|ended)|disconnected before completion|error decoding response body|connection (?:to the api )?was lost|econnreset|other side closed|und_err_socket|empty or malformed response|socket hang up|premature close|(?:^|: )terminated\b/i,
  ],
  [
    'server_error',
    /internal server error|server had an error|an internal error has occurred|bad gateway|gateway time-?out|(?:status|error:?|http) 50[0-4]\b/i,
  ],
];

/** The class of an agent's error; null if its words do not reveal it. */
export const failureClass = (words: string): FailureClass | null =>
  FAILURES.find(([, pattern]) => pattern.test(words))?.[0] ?? null;

/** A longer text is an answer, even if it mentions a failure. */
const LONGEST = 300;

/** Sentences that agents give as their answer when they could not reach their model, with their class. */
const SENTENCES: readonly (readonly [FailureClass, RegExp])[] = [
  ['key_refused', /^\W*invalid api key · /i],
  ['logged_out', /please run \S*\/login/i],
  ['quota', /^\W*credit balance is too low\W*$/i],
  [
    'limit',
    /^\W*(?:claude(?: ai)? )?(?:usage|session|weekly|5-hour) limit reached\b|^\W*you(?:'|’)ve hit your [\w-]* ?limit\b/i,
  ],
];
/** The start of an error reported as an answer; the rest says which. */
const TOLD_AS_ANSWER = /^\[?(?:failed to authenticate\. )?API Error\b/;

/** The failure if a response is such a sentence; null if it is an answer. */
export function failureInstead(response: string): FailureClass | 'other' | null {
  const text = response.trim();
  if (text.length > LONGEST) return null;
  const sentence = SENTENCES.find(([, pattern]) => pattern.test(text))?.[0];
  if (sentence !== undefined) return sentence;
  return TOLD_AS_ANSWER.test(text) ? (failureClass(text) ?? 'other') : null;
}
