import type { ActionSpecs } from '@renderer/client/actions';

export const projectsActions = {
  'projects.copy': { title: 'Copy the folders of the projects', keys: 'y', group: 'Projects' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof projectsActions, true> {}
}
