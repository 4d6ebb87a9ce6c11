import { literalPattern } from '@contract/literal-pattern';

/** Markdown marks around a line with only the signal. */
const MARKS = /^[\s*_`>#]+|[\s*_`]+$/g;

/** The usual tags of a completion signal, whatever they say: `<promise>NOT YET</promise>` is no text for the next pass. */
const PROMISE = /<promise>[^<\n]{0,200}<\/promise>/gi;

/** A pair of tags with only the signal in between. */
const tagged = (until: string, flags: string): RegExp =>
  new RegExp(`<([A-Za-z][A-Za-z0-9_-]{0,63})>\\s*${literalPattern(until)}\\s*</\\1>`, flags);

const isAlone = (line: string | undefined, until: string): boolean =>
  line !== undefined && (line.trim() === until || line.replace(MARKS, '') === until);

/**
 * Whether an output signals the end of the loop: in a pair of tags, or alone on the last line. `not DONE.`
 * and `INCOMPLETE` do not count.
 */
export function isSignalled(output: string, signal: string): boolean {
  const until = signal.trim();
  if (tagged(until, 'i').test(output)) return true;
  return isAlone(output.trim().split('\n').at(-1), until);
}

/** An output without the signal, for the next pass and the steps after the loop. */
export function withoutSignal(output: string, signal: string | undefined): string {
  const clean = output.replace(PROMISE, '').trim();
  if (signal === undefined) return clean;
  const until = signal.trim();
  const plain = clean.replace(tagged(until, 'gi'), '').trim();
  const lines = plain.split('\n');
  return (isAlone(lines.at(-1), until) ? lines.slice(0, -1).join('\n') : plain).trim();
}
