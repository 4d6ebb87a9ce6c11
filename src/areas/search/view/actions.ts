import type { ActionSpecs } from '@renderer/client/actions';

export const searchActions = {
  'search.clear': { title: 'Search everything again', keys: 'x', group: 'Search' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof searchActions, true> {}
}
