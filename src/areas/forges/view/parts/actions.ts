import type { ActionSpecs } from '@renderer/client/actions';

export const pullActions = {
  'pull.show': { title: 'Open or show the pull request of the run', keys: 'shift+g', group: 'Pull request' },
  'pull.close': { title: 'Close the panel of the pull request', group: 'Pull request', quiet: true },
  'pull.read': { title: 'Read the pull request again', group: 'Pull request' },
  'pull.update': { title: 'Show the update of the pull request', keys: 'shift+u', group: 'Pull request' },
  'pull.fix': {
    title: 'Fix: send failed checks and comments to the agent',
    keys: 'shift+f',
    group: 'Pull request',
  },
  'pull.rounds': { title: 'Fix in rounds until the checks pass', keys: 'shift+l', group: 'Pull request' },
  'pull.stop': { title: 'Stop fixing', keys: 'shift+k', group: 'Pull request' },
  'pull.merge': { title: 'Merge the pull request', keys: 'shift+m', group: 'Pull request' },
  'pull.browse': { title: 'Open the pull request in the browser', keys: 'shift+o', group: 'Pull request' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof pullActions, true> {}
}
