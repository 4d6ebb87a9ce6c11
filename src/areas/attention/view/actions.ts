import type { ActionSpecs } from '@renderer/client/actions';

export const inboxActions = {
  'inbox.waiting': { title: 'Show what needs you', group: 'Inbox' },
  'inbox.byRun': { title: 'Group what needs you by run', keys: 'v', group: 'Inbox' },
  'inbox.closed': { title: 'Show closed gates', group: 'Inbox' },
  'failure.resume': { title: 'Resume the failed run', keys: 'a', group: 'Failed run' },
  'failure.dismiss': { title: 'Dismiss the failure', keys: 'r', group: 'Failed run' },
  'pullItem.take': { title: 'Fix what failed, or send it again', keys: 'a', group: 'Pull request item' },
  'pullItem.dismiss': {
    title: 'Dismiss the change of the pull request',
    keys: 'r',
    group: 'Pull request item',
  },
  'item.open': { title: 'Open its run', keys: 'e', group: 'Inbox' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof inboxActions, true> {}
}
