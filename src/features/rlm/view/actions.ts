import type { ActionSpecs } from '@renderer/client/actions';

export const questionsActions = {
  'question.new': { title: 'Ask a question', keys: 'n', group: 'Questions' },
  'question.interrupt': { title: 'Interrupt the code that runs', keys: 'shift+i', group: 'Questions' },
  'question.stop': { title: 'Stop the question now', keys: 'shift+x', group: 'Questions' },
  'question.resume': { title: 'Resume the question', keys: 'shift+r', group: 'Questions' },
  'question.again': { title: 'Ask the question again', keys: 'shift+a', group: 'Questions' },
  'question.run': { title: 'Open the run of the question', keys: 'w', group: 'Questions' },
  'question.copy': { title: 'Copy the address of the question', keys: 'y', group: 'Questions' },
  'iteration.next': { title: 'Next iteration', keys: 'j', group: 'Iterations', quiet: true, repeats: true },
  'iteration.previous': {
    title: 'Previous iteration',
    keys: 'k',
    group: 'Iterations',
    quiet: true,
    repeats: true,
  },
  'iteration.open': { title: 'Open or close the iteration', keys: 'Enter', group: 'Iterations', quiet: true },
} as const satisfies ActionSpecs;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof questionsActions, true> {}
}
