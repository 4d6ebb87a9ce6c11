export type OwnKey =
  | 'leave'
  | 'find'
  | 'copy'
  | 'paste'
  | 'previous'
  | 'next'
  | 'links'
  | 'larger'
  | 'smaller'
  | 'usual';

const OWN_KEYS: ReadonlyMap<string, OwnKey> = new Map(
  Object.entries({
    KeyF: 'find',
    KeyC: 'copy',
    KeyV: 'paste',
    KeyL: 'links',
    ArrowUp: 'previous',
    ArrowDown: 'next',
    Equal: 'larger',
    Minus: 'smaller',
    Digit0: 'usual',
  } as const),
);

interface KeyPlace {
  readonly mac: boolean;
  /** A full-screen program is running, which may need every key. */
  readonly full: boolean;
  /** Whether the press is the operator's chord for leaving the terminal. */
  leaves(event: Pressed): boolean;
}

type Pressed = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>;

/**
 * The keys of the terminal itself: one chord leaves it, the others need Ctrl+Shift (on a Mac only Cmd).
 * Ctrl+F also opens the search, except in full-screen programs, which use it themselves. Every other key goes
 * to the program.
 */
export function ownKey(event: Pressed, { mac, full, leaves }: KeyPlace): OwnKey | null {
  if (leaves(event)) return 'leave';
  if (event.altKey) return null;
  if (!mac && !full && event.ctrlKey && !event.shiftKey && !event.metaKey && event.code === 'KeyF')
    return 'find';
  const modified = mac ? event.metaKey : event.ctrlKey && event.shiftKey;
  return modified ? (OWN_KEYS.get(event.code) ?? null) : null;
}
