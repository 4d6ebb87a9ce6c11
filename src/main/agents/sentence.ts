/** A longer text is an answer, whatever it speaks of. */
const LONGEST = 300;
const LOGIN = /please run \S*\/login/i;
const LIMIT =
  /^\W*(claude( ai)? )?(usage|session|weekly) limit reached\b|^you('|’)ve hit your [\w-]* ?limit\b/i;

/** Some agents answer a missing login or a used-up limit with a sentence where their response should be. */
export function troubleInstead(response: string): 'login' | 'limit' | null {
  const text = response.trim();
  if (text.length > LONGEST) return null;
  if (LOGIN.test(text)) return 'login';
  return LIMIT.test(text) ? 'limit' : null;
}
