import type { ActionSpecs } from '../../client/actions';

export const homeActions = {
  'home.looked': { title: 'Mark everything as seen', keys: 'm', group: 'Home' },
} as const satisfies ActionSpecs;

declare module '../../client/actions' {
  interface ActionNames extends Record<keyof typeof homeActions, true> {}
}
