import type { ActionSpecs } from '../../client/actions';

/** The second key of each is what works while the terminal has the keys: see ui/terminal-keys.ts. */
export const terminalActions = {
  // Windows keeps Ctrl+Shift+Esc for itself, so it is only the second.
  'terminal.leave': {
    title: 'Leave the terminal',
    keys: 'mod+shift+x, mod+shift+esc',
    group: 'Sessions',
    quiet: true,
  },
  'terminal.focus': { title: 'Type into the terminal', keys: 'i', group: 'Sessions' },
  'terminal.reopen': { title: 'Reopen the terminal', keys: 'r', group: 'Sessions' },
  'terminal.find': { title: 'Find in the terminal', keys: 'mod+f, mod+shift+f', group: 'Sessions' },
  'terminal.copy': { title: 'Copy what is selected in the terminal', keys: 'mod+shift+c', group: 'Sessions' },
  'terminal.links': {
    title: 'Open a link or a file that the terminal shows',
    keys: 'l, mod+shift+l',
    group: 'Sessions',
  },
  'terminal.previous': {
    title: 'Previous command of the terminal',
    keys: '[, mod+shift+up',
    group: 'Sessions',
    repeats: true,
  },
  'terminal.next': {
    title: 'Next command of the terminal',
    keys: '], mod+shift+down',
    group: 'Sessions',
    repeats: true,
  },
  'terminal.larger': {
    title: 'Larger letters in terminals',
    keys: 'mod+shift+plus',
    group: 'Sessions',
    repeats: true,
  },
  'terminal.smaller': {
    title: 'Smaller letters in terminals',
    keys: 'mod+shift+_',
    group: 'Sessions',
    repeats: true,
  },
  'terminal.usual': {
    title: 'Letters of the usual size in terminals',
    keys: 'mod+shift+)',
    group: 'Sessions',
  },
  'terminal.screenReader': { title: 'Let a screen reader read the terminals, or not', group: 'Sessions' },
} as const satisfies ActionSpecs;

declare module '../../client/actions' {
  interface ActionNames extends Record<keyof typeof terminalActions, true> {}
}
