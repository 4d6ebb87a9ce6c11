import type { PromptSchema, PromptSet } from '@areas/prompts/contract/schema';

/** The texts of a loop (seed 004). */
const prompts = [
  {
    id: 'loop/ralph-worker',
    title: 'Ralph worker',
    purpose: 'Sent to the worker of each attempt of a Ralph loop, where the step has no prompt of its own.',
    file: 'ralph-worker.md',
    requiredFile: true,
    placeholders: [
      { name: 'story', required: true, says: 'The id and the title of the story that it is to do.' },
      {
        name: 'folder',
        required: false,
        says: 'Where prd.json and progress.txt are, relative to the working folder.',
      },
      { name: 'branch', required: false, says: 'The branch that Muster has checked out for it.' },
      { name: 'iteration', required: false, says: 'The number of the iteration, from 1.' },
      { name: 'iterations', required: false, says: 'The most iterations that there may be.' },
    ],
    keyPhrases: ['prd.json', 'passes', '<promise>COMPLETE</promise>', 'Result:'],
    maxLength: 16_000,
  },
] as const satisfies readonly PromptSchema[];

export const loopPromptSet = { id: 'loop', title: 'Loops', prompts } as const satisfies PromptSet;
