import type { ActionSpecs } from '@renderer/client/actions';

export const settingsActions = {
  'rules.new': { title: 'New permission rule', keys: 'n', group: 'Permission rules' },
  'rules.undo': { title: 'Undo the last change of a rule', keys: 'u', group: 'Permission rules' },
  'deliveries.new': { title: 'New delivery target', keys: 'n', group: 'Deliveries' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof settingsActions, true> {}
}
