import type { PromptSet } from '@areas/prompts/contract/schema';

/** The text of step.transform. */
export const transformPromptSet = {
  id: 'transform',
  title: 'Transform',
  prompts: [
    {
      id: 'transform/transform',
      title: 'Transform',
      purpose: 'The one prompt of a transform step: what to make of the input.',
      file: 'transform.md',
      requiredFile: true,
      placeholders: [
        { name: 'instruction', required: true, says: 'What to make of the input.' },
        { name: 'input', required: true, says: 'The text to work on, between its marker lines.' },
      ],
      keyPhrases: [],
      maxLength: 16_000,
    },
  ],
} as const satisfies PromptSet;
