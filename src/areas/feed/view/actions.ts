import type { ActionSpecs } from '@renderer/client/actions';

export const feedActions = {
  'feed.open': { title: 'Open the turn of this update', keys: 'o', group: 'Feed' },
  'feed.copy': { title: 'Copy the update as it was sent', keys: 'y', group: 'Feed' },
  'feed.read': { title: 'Mark all updates read', keys: 'm', group: 'Feed' },
  'feed.run': { title: 'Show only the updates of this run', keys: 'f', group: 'Feed' },
  'feed.step': { title: 'Show only the updates of this step', keys: 's', group: 'Feed' },
  'feed.clear': { title: 'Show all updates', keys: 'x', group: 'Feed' },
  'feed.newest': { title: 'Go to the newest update', keys: 'Home', group: 'Feed', quiet: true },
  'feed.oldest': { title: 'Go to the oldest update', keys: 'End', group: 'Feed', quiet: true },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof feedActions, true> {}
}
