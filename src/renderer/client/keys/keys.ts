import { ownValue } from '@contract/own';

/** One key with its modifiers. `mod` is Cmd on a Mac and Ctrl elsewhere. */
interface Chord {
  readonly key: string;
  readonly mod: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

type Sequence = readonly Chord[];

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

const NAMES: Record<string, string> = {
  esc: 'escape',
  return: 'enter',
  up: 'arrowup',
  down: 'arrowdown',
  left: 'arrowleft',
  right: 'arrowright',
  space: ' ',
  plus: '+',
};

/** Parses `g i`, `mod+k`, `?` or `shift+j`; null if it is no key. */
export function parseKeys(text: string): Sequence | null {
  const chords = text.trim().split(/\s+/).map(parseChord);
  if (text.trim() === '' || chords.some((chord) => chord === null)) return null;
  return chords.filter((chord) => chord !== null);
}

function parseChord(text: string): Chord | null {
  const parts = text.toLowerCase().split('+');
  const name = parts.pop() ?? '';
  const key = ownValue(NAMES, name) ?? name;
  const modifiers = new Set(parts);
  for (const known of ['mod', 'ctrl', 'cmd', 'alt', 'shift']) modifiers.delete(known);
  if (key === '' || modifiers.size > 0) return null;
  const mod = parts.includes('mod') || parts.includes('ctrl') || parts.includes('cmd');
  return { key, mod, alt: parts.includes('alt'), shift: parts.includes('shift') };
}

const isLetter = (key: string): boolean => key.length === 1 && key.toLowerCase() !== key.toUpperCase();

export function matches(chord: Chord, event: Pressed, mac: boolean): boolean {
  const mod = mac ? event.metaKey : event.ctrlKey;
  const other = mac ? event.ctrlKey : event.metaKey;
  if (event.key.toLowerCase() !== chord.key || mod !== chord.mod || other || event.altKey !== chord.alt)
    return false;
  // Shift is needed to type a sign such as `?`; whether it is depends on the keyboard.
  const counts = isLetter(chord.key) || chord.key.length > 1;
  return !counts || event.shiftKey === chord.shift;
}

/** The pressed key in the notation of `parseKeys`; null for a modifier alone. */
export function chordOf(event: Pressed, mac: boolean): string | null {
  if (['Control', 'Meta', 'Alt', 'Shift', 'Dead', 'Unidentified'].includes(event.key)) return null;
  const key = event.key.toLowerCase();
  const name = key === ' ' ? 'space' : key === '+' ? 'plus' : key;
  const shift = event.shiftKey && (isLetter(key) || key.length > 1);
  const mod = mac ? event.metaKey : event.ctrlKey;
  return [mod && 'mod', event.altKey && 'alt', shift && 'shift', name].filter(Boolean).join('+');
}

const SIGNS: Record<string, string> = {
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  enter: 'Enter',
  escape: 'Esc',
  ' ': 'Space',
  backspace: 'Backspace',
  delete: 'Del',
  tab: 'Tab',
};

/** One text for each key cap: `['Ctrl', 'K']`, `['g', 'i']`. */
export function keyCaps(text: string, mac: boolean): string[] {
  return (parseKeys(text) ?? []).flatMap((chord) => {
    const sign = ownValue(SIGNS, chord.key);
    const modified = chord.mod || chord.alt;
    const upper = modified || chord.shift || /^f\d+$/.test(chord.key);
    const plain = upper ? chord.key.toUpperCase() : chord.key;
    const caps = [sign ?? plain];
    if (chord.shift) caps.unshift(mac ? '⇧' : 'Shift');
    if (chord.alt) caps.unshift(mac ? '⌥' : 'Alt');
    if (chord.mod) caps.unshift(mac ? '⌘' : 'Ctrl');
    return caps;
  });
}

/** How far the presses match a key sequence: not at all, in part, or completely. */
export function progress(
  keys: Sequence,
  presses: readonly Pressed[],
  mac: boolean,
): 'none' | 'part' | 'whole' {
  if (presses.length > keys.length) return 'none';
  const fits = presses.every((press, index) => {
    const chord = keys[index];
    return chord !== undefined && matches(chord, press, mac);
  });
  if (!fits) return 'none';
  return presses.length === keys.length ? 'whole' : 'part';
}
