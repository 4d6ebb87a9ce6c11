import type { ActionSpecs } from '@renderer/client/actions';

export const promptsActions = {
  'prompt.override': { title: 'Override the prompt for this project', keys: 'o', group: 'Prompts' },
  'prompt.edit': { title: 'Open the project’s prompt in the editor', keys: 'e', group: 'Prompts' },
  'prompt.write': { title: 'Edit the project’s prompt here', keys: 'w', group: 'Prompts' },
  'prompt.remove': { title: 'Remove the override of the prompt', keys: 'x', group: 'Prompts' },
  'prompt.show': { title: 'Show the text or the changes of the prompt', keys: 't', group: 'Prompts' },
  'prompt.copy': { title: 'Copy the address of the prompt', keys: 'y', group: 'Prompts' },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof promptsActions, true> {}
}
