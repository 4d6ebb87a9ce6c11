import type { ActionSpecs } from '../../client/actions';

export const inboxActions = {
  'inbox.waiting': { title: 'Show the gates that wait', group: 'Inbox' },
  'inbox.closed': { title: 'Show the gates that are closed', group: 'Inbox' },
} as const satisfies ActionSpecs;

declare module '../../client/actions' {
  interface ActionNames extends Record<keyof typeof inboxActions, true> {}
}
