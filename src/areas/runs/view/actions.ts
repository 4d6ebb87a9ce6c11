import type { ActionSpecs } from '@renderer/client/actions';

export const runsActions = {
  'run.cancel': { title: 'Cancel the run', keys: 'shift+x', group: 'Run' },
  'run.resume': { title: 'Resume the run', keys: 'shift+r', group: 'Run' },
  'run.again': { title: 'Run again from a step', keys: 'shift+s', group: 'Run' },
  'run.compare': { title: 'Compare with another run', keys: 'shift+d', group: 'Run' },
  'run.compare.close': { title: 'Back to the run', keys: 'shift+d', group: 'Run', quiet: true },
  'run.copy': { title: 'Copy the address of the run', keys: 'y', group: 'Run' },
  'run.rename': { title: 'Rename the run', keys: 'F2', group: 'Run' },
  'run.updates': { title: 'Show the updates of the run', keys: 'u', group: 'Run' },
  'run.workflow': { title: 'Open the workflow of the run', keys: 'w', group: 'Run' },
  'run.export': { title: 'Export the run to a file', keys: 'shift+e', group: 'Run' },
  'run.save': { title: 'Save the steps as a workflow', group: 'Run' },
  'run.bin': { title: 'Move the run to the bin', keys: 'Delete', group: 'Run' },
  'run.restore': { title: 'Restore the run from the bin', keys: 'z', group: 'Run' },
  'run.purge': { title: 'Delete the run permanently', group: 'Run' },
  'replay.open': { title: 'Look back in the run', keys: 'h', group: 'Replay' },
  'replay.now': { title: 'Return to now', keys: 'n', group: 'Replay' },
  'replay.play': { title: 'Play or pause', keys: 'space', group: 'Replay' },
  'replay.next': { title: 'Forward one event', keys: 'right', group: 'Replay', quiet: true, repeats: true },
  'replay.previous': { title: 'Back one event', keys: 'left', group: 'Replay', quiet: true, repeats: true },
  'replay.nextMark': { title: 'Next mark', keys: 'shift+right', group: 'Replay', quiet: true },
  'replay.previousMark': { title: 'Previous mark', keys: 'shift+left', group: 'Replay', quiet: true },
  'replay.first': { title: 'Go to the beginning', keys: 'Home', group: 'Replay', quiet: true },
  'replay.last': { title: 'Go to the newest event', keys: 'End', group: 'Replay', quiet: true },
  'run.import': { title: 'Import a run from a file', group: 'Runs' },
  'run.bin.show': { title: 'Show the bin', keys: 'b', group: 'Runs' },
  'turn.next': {
    title: 'Next turn, command or gate',
    keys: 'j',
    group: 'Timeline',
    quiet: true,
    repeats: true,
  },
  'turn.previous': {
    title: 'Previous turn, command or gate',
    keys: 'k',
    group: 'Timeline',
    quiet: true,
    repeats: true,
  },
  'turn.diff': { title: 'Show what the turn changed', keys: 'd', group: 'Timeline' },
  'turn.terminal': { title: 'Show the terminal of the turn', keys: 't', group: 'Timeline' },
  'turn.session': { title: 'Show the session of the turn', keys: 'o', group: 'Timeline' },
  'turn.prompt': { title: 'Show the prompt of the turn', keys: 'p', group: 'Timeline' },
  'turn.closeSide': { title: 'Close the panel of the turn', group: 'Timeline', quiet: true },
  'turn.copy': { title: 'Copy the address of this turn', keys: 'y', group: 'Timeline', quiet: true },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof runsActions, true> {}
}
