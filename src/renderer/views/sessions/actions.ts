import type { ActionSpecs } from '../../client/actions';

export const sessionsActions = {
  'terminal.focus': { title: 'Type into the terminal', keys: 'i', group: 'Sessions' },
  'terminal.reopen': { title: 'Open the terminal anew', keys: 'r', group: 'Sessions' },
  'terminal.screenReader': { title: 'Let a screen reader read the terminals, or not', group: 'Sessions' },
  'session.run': { title: 'Open the run of this session', keys: 'w', group: 'Sessions' },
  'session.copy': { title: 'Copy the address of this session', keys: 'y', group: 'Sessions' },
} as const satisfies ActionSpecs;
