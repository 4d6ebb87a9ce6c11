import type { ActionSpecs } from '@renderer/client/actions';

export const homeActions = {
  'home.looked': { title: 'Mark everything as seen', keys: 'm', group: 'Home' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof homeActions, true> {}
}
