/**
 * Texts that were begun and not sent. Kept on this machine, a bounded number and length of them, the oldest thrown away
 * first. Whole or not at all: one that was cut would be sent so by somebody who looks at its beginning.
 */
const KEY = 'muster.drafts';
const MOST = 50;
const MOST_LETTERS = 2_000_000;

type Drafts = Record<string, { text: string; at: number }>;
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

export function readDraft(storage: Storage, key: string): string {
  return load(storage)[key]?.text ?? '';
}

export function writeDraft(storage: Storage, key: string, text: string): void {
  const drafts = load(storage);
  delete drafts[key];
  if (text !== '') drafts[key] = { text, at: Date.now() };
  const newest = Object.entries(drafts).sort(([, a], [, b]) => b.at - a.at);
  let letters = 0;
  const kept = newest.slice(0, MOST).filter(([, draft]) => {
    const fits = letters + draft.text.length <= MOST_LETTERS;
    if (fits) letters += draft.text.length;
    return fits;
  });
  try {
    storage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // There is no room. What is on screen stays, and what was kept before.
  }
}

function load(storage: Storage): Drafts {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Drafts) : {};
  } catch {
    return {};
  }
}
