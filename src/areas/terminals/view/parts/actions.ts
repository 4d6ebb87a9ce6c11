import type { ActionSpecs } from '@renderer/client/actions';

/** The second key of each also works while the terminal has the focus: see ui/terminal/keys.ts. */
export const terminalActions = {
  // Windows reserves Ctrl+Shift+Esc, so it is only the second.
  'terminal.leave': {
    title: 'Leave the terminal',
    keys: 'mod+shift+x, mod+shift+esc',
    group: 'Sessions',
    quiet: true,
  },
  'terminal.focus': { title: 'Type into the terminal', keys: 'i', group: 'Sessions' },
  'terminal.reopen': { title: 'Reopen the terminal', keys: 'r', group: 'Sessions' },
  'terminal.find': { title: 'Find in the terminal', keys: 'mod+f, mod+shift+f', group: 'Sessions' },
  'terminal.copy': { title: 'Copy the terminal selection', keys: 'mod+shift+c', group: 'Sessions' },
  'terminal.links': {
    title: 'Open a link or file shown in the terminal',
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
    title: 'Increase terminal font size',
    keys: 'mod+shift+plus',
    group: 'Sessions',
    repeats: true,
  },
  'terminal.smaller': {
    title: 'Decrease terminal font size',
    keys: 'mod+shift+_',
    group: 'Sessions',
    repeats: true,
  },
  'terminal.usual': {
    title: 'Reset terminal font size',
    keys: 'mod+shift+)',
    group: 'Sessions',
  },
  'terminal.screenReader': { title: 'Toggle screen reader support in terminals', group: 'Sessions' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof terminalActions, true> {}
}
