import type { ActionSpecs } from '@renderer/client/actions';

export const spendActions = {
  'spend.by.day': { title: 'Spend by day', keys: '1', group: 'Spend' },
  'spend.by.project': { title: 'Spend by project', keys: '2', group: 'Spend' },
  'spend.by.workflow': { title: 'Spend by workflow', keys: '3', group: 'Spend' },
  'spend.by.run': { title: 'Spend by run', keys: '4', group: 'Spend' },
  'spend.by.agent': { title: 'Spend by agent', keys: '5', group: 'Spend' },
  'spend.by.model': { title: 'Spend by model', keys: '6', group: 'Spend' },
  'spend.by.step': { title: 'Spend by step', keys: '7', group: 'Spend' },
  'spend.by.story': { title: 'Spend by story', keys: '8', group: 'Spend' },
  'spend.by.round': { title: 'Spend by round', keys: '9', group: 'Spend' },
  'spend.copy': { title: 'Copy the table as CSV', keys: 'y', group: 'Spend' },
  'spend.export': { title: 'Export the table as CSV', keys: 'e', group: 'Spend' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof spendActions, true> {}
}
