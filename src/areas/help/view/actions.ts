import type { ActionSpecs } from '@renderer/client/actions';

export const helpActions = {
  'help.next': { title: 'Read the next section', keys: 'n', group: 'Help' },
  'help.previous': { title: 'Read the previous section', keys: 'p', group: 'Help' },
  'help.copy': { title: 'Copy the address of this section', keys: 'y', group: 'Help' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof helpActions, true> {}
}
