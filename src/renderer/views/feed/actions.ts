import type { ActionSpecs } from '../../client/actions';

export const feedActions = {
  'feed.open': { title: 'Open the turn of this update', keys: 'o', group: 'Feed' },
  'feed.run': { title: 'Show only the updates of this run', keys: 'f', group: 'Feed' },
  'feed.clear': { title: 'Show the updates of all runs', keys: 'x', group: 'Feed' },
  'feed.copy': { title: 'Copy the update', keys: 'y', group: 'Feed' },
} as const satisfies ActionSpecs;
