import type { ActionSpecs } from '@renderer/client/actions';

const CHANGES = 'Changes';

/** The keys of the desk, the same wherever a change is shown. */
export const changeActions = {
  'change.next': { title: 'Next change', keys: 'n', group: CHANGES, quiet: true, repeats: true },
  'change.previous': { title: 'Previous change', keys: 'p', group: CHANGES, quiet: true, repeats: true },
  'change.nextFile': { title: 'Next file', keys: ']', group: CHANGES, quiet: true, repeats: true },
  'change.previousFile': { title: 'Previous file', keys: '[', group: CHANGES, quiet: true, repeats: true },
  'change.down': { title: 'Next change', keys: 'j', group: CHANGES, quiet: true, repeats: true },
  'change.up': { title: 'Previous change', keys: 'k', group: CHANGES, quiet: true, repeats: true },
  'change.viewed': { title: 'Mark the file as viewed, and go to the next one', keys: 'v', group: CHANGES },
  'change.comment': { title: 'Comment on the change', keys: 'm', group: CHANGES },
  'change.keep': { title: 'Keep the change', keys: 'shift+a', group: CHANGES },
  'change.takeBack': { title: 'Take the change back in the folder', keys: 'shift+r', group: CHANGES },
  'change.undo': { title: 'Put back what was taken back last', keys: 'shift+z', group: CHANGES },
  'change.fold': { title: 'Fold or unfold the file', keys: 'x', group: CHANGES },
  'change.whole': { title: 'Show the whole file, or its changes alone', keys: 'shift+w', group: CHANGES },
  'change.open': { title: 'Open the file in the editor', keys: 'shift+o', group: CHANGES },
  'change.layout': { title: 'Show old beside new, or in one column', keys: 'shift+s', group: CHANGES },
  'change.find': { title: 'Find in the changes', keys: 'mod+f', group: CHANGES, inText: true },
  'change.filter': { title: 'Filter the changed files', keys: 'shift+f', group: CHANGES },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof changeActions, true> {}
}
