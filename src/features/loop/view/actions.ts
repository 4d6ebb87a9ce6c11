import type { ActionSpecs } from '@renderer/client/actions';

export const loopsActions = {
  'loop.new': { title: 'Start a loop', keys: 'n', group: 'Loops' },
  'loop.start': { title: 'Start the loop in the form', keys: 'mod+Enter', group: 'Loops', inText: true },
  'loop.pause': { title: 'Pause after this iteration', keys: 'p', group: 'Loops' },
  'loop.stop': { title: 'Stop the loop now', keys: 'shift+x', group: 'Loops' },
  'loop.resume': { title: 'Resume the loop', keys: 'shift+r', group: 'Loops' },
  'loop.logs': { title: 'Show or hide the logs of the attempt', keys: 'l', group: 'Loops' },
  'loop.session': { title: 'Open the session of the attempt', keys: 'o', group: 'Loops' },
  'loop.commit': { title: 'Copy the commit of the attempt', keys: 'shift+h', group: 'Loops' },
  'loop.update': { title: 'Copy the update as it was sent', keys: 'shift+u', group: 'Loops' },
  'loop.run': { title: 'Open the run of the loop', keys: 'w', group: 'Loops' },
  'loop.updates': { title: 'Show the updates of the loop in the feed', keys: 'f', group: 'Loops' },
  'loop.copy': { title: 'Copy the address of the attempt or the loop', keys: 'y', group: 'Loops' },
  'attempt.next': { title: 'Next attempt or gate', keys: 'j', group: 'Attempts', quiet: true, repeats: true },
  'attempt.previous': {
    title: 'Previous attempt or gate',
    keys: 'k',
    group: 'Attempts',
    quiet: true,
    repeats: true,
  },
  'attempt.open': { title: 'Open or close the attempt', keys: 'Enter', group: 'Attempts', quiet: true },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof loopsActions, true> {}
}
