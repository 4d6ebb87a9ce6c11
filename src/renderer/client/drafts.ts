/** Texts that were begun and not sent. Kept on this machine, few and short, the oldest thrown away first. */
const KEY = 'muster.drafts';
const MOST = 50;
const LONGEST = 40_000;

type Drafts = Record<string, { text: string; at: number }>;
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

export function readDraft(storage: Storage, key: string): string {
  return load(storage)[key]?.text ?? '';
}

export function writeDraft(storage: Storage, key: string, text: string): void {
  const drafts = load(storage);
  delete drafts[key];
  if (text !== '') drafts[key] = { text: text.slice(0, LONGEST), at: Date.now() };
  const newest = Object.entries(drafts).sort(([, a], [, b]) => b.at - a.at);
  storage.setItem(KEY, JSON.stringify(Object.fromEntries(newest.slice(0, MOST))));
}

function load(storage: Storage): Drafts {
  try {
    const value: unknown = JSON.parse(storage.getItem(KEY) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Drafts) : {};
  } catch {
    return {};
  }
}
