import type { ActionSpecs } from '../client/actions';
import { isMac } from '../client/wire/window';

export const shellActions = {
  'app.palette': {
    title: 'Find an action, a run or a workflow',
    keys: 'mod+k',
    group: 'Everywhere',
    inText: true,
    quiet: true,
  },
  'app.keys': {
    title: 'Show the keys of this page',
    keys: '?',
    group: 'Everywhere',
    words: 'help shortcuts keyboard',
  },
  'app.help': {
    title: 'Open the help for this page',
    keys: 'F1',
    group: 'Everywhere',
    words: 'documentation manual',
    inText: true,
  },
  'app.copyAddress': { title: 'Copy the address of this page', keys: 'mod+shift+c', group: 'Everywhere' },
  'app.pane.next': {
    title: 'Go to the next part of the window',
    keys: 'F6',
    group: 'Everywhere',
    inText: true,
  },
  'app.pane.previous': {
    title: 'Go to the previous part of the window',
    keys: 'shift+F6',
    group: 'Everywhere',
    inText: true,
  },
  // On a Mac these keys move by words in a text.
  'app.back': { title: 'Go back', keys: 'alt+left', group: 'Everywhere', inText: !isMac },
  'app.forward': { title: 'Go forward', keys: 'alt+right', group: 'Everywhere', inText: !isMac },
  'app.theme.light': { title: 'Use the light theme', group: 'Everywhere' },
  'app.theme.dark': { title: 'Use the dark theme', group: 'Everywhere' },
  'app.theme.system': { title: 'Use the system theme', group: 'Everywhere' },
  'app.density': { title: 'Toggle dense rows', group: 'Everywhere' },
  'app.rail': {
    title: 'Show or hide the names of the views',
    keys: 'mod+b',
    group: 'Everywhere',
    words: 'sidebar rail icons labels',
  },
  'work.new': { title: 'New work: one prompt for one agent', keys: 'c', group: 'Everywhere' },
  'workflow.new': { title: 'New workflow', group: 'Everywhere' },
  'project.add': { title: 'Add a project folder', group: 'Projects' },
  'project.sample': { title: 'Create the sample project', group: 'Projects' },
  'sample.workflow': { title: 'Run the sample workflow', group: 'Projects' },
} as const satisfies ActionSpecs;

declare module '../client/actions' {
  interface ActionNames extends Record<keyof typeof shellActions, true> {}
}
