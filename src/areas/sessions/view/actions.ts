import { terminalActions } from '@areas/terminals/view/parts/actions';
import type { ActionSpecs } from '@renderer/client/actions';

export const sessionsActions = {
  ...terminalActions,
  'sessions.grid': { title: 'Show all live terminals in a grid', keys: 'v', group: 'Sessions' },
  'grid.run': {
    title: 'Show the terminals of this run only, or of all runs',
    keys: 'shift+v',
    group: 'Sessions',
  },
  'grid.full': { title: 'Show one terminal in full, or all again', keys: 'f', group: 'Sessions' },
  'grid.next': { title: 'Next terminal of the grid', keys: 'j', group: 'Grid', quiet: true, repeats: true },
  'grid.previous': {
    title: 'Previous terminal of the grid',
    keys: 'k',
    group: 'Grid',
    quiet: true,
    repeats: true,
  },
  'session.run': { title: 'Open the run of this session', keys: 'w', group: 'Sessions' },
  'session.copy': { title: 'Copy the address of this session', keys: 'y', group: 'Sessions' },
  'session.transcript': { title: 'Show the transcript', keys: '1', group: 'Sessions' },
  'session.changes': { title: 'Show the changes', keys: '2', group: 'Sessions' },
  'session.terminals': { title: 'Show the terminals of the session', keys: '3', group: 'Sessions' },
  'session.split': { title: 'Toggle split view', keys: '\\', group: 'Sessions' },
  'session.write': { title: 'Write a prompt in this session', keys: 'p', group: 'Sessions' },
  'session.attach': {
    title: 'Attach files to the prompt',
    keys: 'mod+shift+a',
    group: 'Sessions',
    inText: true,
  },
  'session.cancelTurn': { title: 'Cancel the running turn', keys: 'shift+x', group: 'Sessions' },
  'session.park': { title: 'Park the session', keys: 'shift+p', group: 'Sessions' },
  'session.editor': { title: 'Open the folder of the session in the editor', keys: 'o', group: 'Sessions' },
  'session.branch': { title: 'Copy the branch of the session', keys: 'shift+b', group: 'Sessions' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof sessionsActions, true> {}
}
