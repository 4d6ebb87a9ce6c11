import type { PromptSet } from '@areas/prompts/contract/schema';

/** The text of step.claim_extractor. */
export const claimsPromptSet = {
  id: 'claims',
  title: 'Claims',
  prompts: [
    {
      id: 'claims/extract',
      title: 'Extract claims',
      purpose: 'The one prompt of a claim extractor: which claims to find, each with its quote.',
      file: 'extract.md',
      requiredFile: true,
      placeholders: [
        { name: 'instruction', required: false, says: 'Which claims matter, where the step says so.' },
        { name: 'most', required: true, says: 'How many claims are taken at most.' },
        { name: 'input', required: true, says: 'The text to read, between its marker lines.' },
      ],
      keyPhrases: ['quote'],
      maxLength: 16_000,
    },
  ],
} as const satisfies PromptSet;
