export { decimalBytes as bytes } from '@contract/size-words';

const DOLLARS = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** `$0.42`, or `$0.0031` if two decimals would hide the amount. */
export function money(usd: number): string {
  if (usd > 0 && usd < 0.01) return `$${usd.toPrecision(2).replace(/\.?0+$/, '')}`;
  return DOLLARS.format(usd);
}

/** `812`, `5.1k`, `184k`, `3.1M`. */
export function count(value: number): string {
  if (value < 1000) return String(Math.round(value));
  if (value < 1_000_000) return `${trim(value / 1000)}k`;
  return `${trim(value / 1_000_000)}M`;
}

const trim = (value: number): string => value.toFixed(value < 100 ? 1 : 0).replace(/\.0$/, '');

/** `1 turn`, `3 turns`. */
export const plural = (value: number, one: string, many = `${one}s`): string =>
  `${value} ${value === 1 ? one : many}`;

/** Tokens and cost together: `12.4k tokens · $0.42`. */
export function spend(tokens: number, usd: number | null): string {
  const cost = usd === null ? (tokens > 0 ? 'cost not reported' : '') : usd > 0 ? money(usd) : '';
  const parts = [tokens > 0 ? `${count(tokens)} tokens` : '', cost];
  return parts.filter((part) => part !== '').join(' · ');
}

/** The random end of a ULID, short enough to be read aloud. */
export const shortId = (uid: string): string => uid.slice(-6);

export const firstLine = (text: string): string => text.trim().split('\n', 1)[0] ?? '';
