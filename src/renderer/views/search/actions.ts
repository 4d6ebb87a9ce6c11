import type { ActionSpecs } from '../../client/actions';

export const searchActions = {
  'search.clear': { title: 'Search everything again', keys: 'x', group: 'Search' },
} as const satisfies ActionSpecs;

declare module '../../client/actions' {
  interface ActionNames extends Record<keyof typeof searchActions, true> {}
}
