/** A longer text is an answer, whatever it speaks of. */
const LONGEST = 300;
const LOGIN = /please run \S*\/login/i;
const LIMIT =
  /^\W*(claude( ai)? )?(usage|session|weekly) limit reached\b|^you('|’)ve hit your [\w-]* ?limit\b/i;

/** Words for a missing login, in what an agent reports as an error. */
export const LOGGED_OUT =
  /authentication[_ ](required|failed|error)|\bauth (failed|error)|not logged in|not authenticated|log ?in required|please (run|use|type)?[^.\n]{0,40}\/?\blog ?in\b|sign in (with|again)|log in again|(invalid|missing|incorrect|no) (api|x-api|auth\w*)[ -]?key|unauthori[sz]ed|\b401\b|(token|login|credentials?) (has |have |is |was )?(expired|revoked)|access token could not be refreshed/i;

/** Some agents answer a missing login or a used-up limit with a sentence where their response should be. */
export function troubleInstead(response: string): 'login' | 'limit' | null {
  const text = response.trim();
  if (text.length > LONGEST) return null;
  if (LOGIN.test(text)) return 'login';
  return LIMIT.test(text) ? 'limit' : null;
}
