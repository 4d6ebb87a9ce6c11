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

export interface KeyPlace {
  readonly mac: boolean;
  /** A program fills the screen, and may want every key. */
  readonly full: boolean;
  /** The chord that leaves the terminal, as the operator has it. */
  leaves(event: Pressed): boolean;
}

export type Pressed = Pick<KeyboardEvent, 'code' | 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey'>;

/**
 * The keys that are the terminal's own: one chord leaves it, the others need Shift beside Ctrl (on a Mac Cmd alone).
 * Ctrl+F finds as well, but in a program that fills the screen, which has a use of its own for it. Every other key goes
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
