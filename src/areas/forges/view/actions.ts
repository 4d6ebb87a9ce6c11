import type { ActionSpecs } from '@renderer/client/actions';
import { pullActions } from './parts/actions';

export const issuesActions = {
  ...pullActions,
  'issues.open': { title: 'Start work from an issue', keys: 'i', group: 'Issues', quiet: true },
  'issues.read': { title: 'Read the issues again', keys: 'shift+r', group: 'Issues' },
  'issue.begin': { title: 'Start work on the issue', keys: 'i', group: 'Issues' },
  'issue.preview': { title: 'Show or hide the prompt that the agent gets', keys: 'p', group: 'Issues' },
  'issue.forge': { title: 'Open the issue in the browser', keys: 'o', group: 'Issues' },
  'issue.copy': { title: 'Copy the address of the issue', keys: 'y', group: 'Issues' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof issuesActions, true> {}
}
