import { Cell } from './store';

/**
 * Texts that were begun and not sent. Kept on this machine, few and not too much of them, the oldest thrown away first: a
 * long one is kept whole.
 */
const KEY = 'muster.drafts';
const MOST = 50;
const MOST_CHARACTERS = 2_000_000;
/** Of one text. */
const LONGEST = 1_000_000;

type Drafts = Record<string, { text: string; at: number }>;
type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem'>;

export function readDraft(storage: Storage, key: string): string {
  return load(storage)[key]?.text ?? '';
}

export function writeDraft(storage: Storage, key: string, text: string): void {
  const drafts = load(storage);
  delete drafts[key];
  if (text !== '') drafts[key] = { text: text.slice(0, LONGEST), at: Date.now() };
  let room = MOST_CHARACTERS;
  const newest = Object.entries(drafts)
    .sort(([one, a], [other, b]) => (one === key ? -1 : other === key ? 1 : b.at - a.at))
    .slice(0, MOST)
    .filter(([, draft]) => {
      room -= draft.text.length;
      return room >= 0;
    });
  storage.setItem(KEY, JSON.stringify(Object.fromEntries(newest)));
}

const shown = new Map<string, Cell<string>>();

/** A text as something to watch: the same for all who show it, so that what comes back to one is there for the next. */
export function draftCell(storage: Storage, key: string): Cell<string> {
  const known = shown.get(key);
  if (known) return known;
  const cell: Cell<string> = new Cell(readDraft(storage, key), () => () => {
    if (shown.get(key) === cell) shown.delete(key);
  });
  shown.set(key, cell);
  return cell;
}

/** Writes a text, or what becomes of the one that is there now, whoever shows it by then. */
export function changeDraft(storage: Storage, key: string, next: string | ((now: string) => string)): void {
  const cell = shown.get(key);
  const text = typeof next === 'string' ? next : next(cell?.get() ?? readDraft(storage, key));
  cell?.set(text);
  try {
    writeDraft(storage, key, text);
  } catch (cause) {
    // A full storage: the text is there as long as the window is.
    console.error('a draft cannot be kept', cause);
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
