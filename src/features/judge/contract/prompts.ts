import type { PromptSet } from '@areas/prompts/contract/schema';

const criteria = {
  name: 'criteria',
  required: true,
  says: 'The criteria with what each asks, as a list.',
} as const;
const scale = { name: 'scale', required: true, says: 'The lowest and the highest score.' } as const;
const instruction = { name: 'instruction', required: false, says: 'What else the step says.' } as const;

/** The texts of step.judge. */
export const judgePromptSet = {
  id: 'judge',
  title: 'Judge',
  prompts: [
    {
      id: 'judge/score',
      title: 'Score',
      purpose: 'Asks for the scores of one text.',
      file: 'score.md',
      requiredFile: true,
      placeholders: [
        criteria,
        scale,
        instruction,
        { name: 'candidate', required: true, says: 'The text to judge, between its marker lines.' },
      ],
      keyPhrases: ['candidate_1'],
      maxLength: 16_000,
    },
    {
      id: 'judge/compare',
      title: 'Compare',
      purpose:
        'Asks for the scores of several texts whose origin is hidden. It is sent twice, in both orders.',
      file: 'compare.md',
      requiredFile: true,
      placeholders: [
        criteria,
        scale,
        instruction,
        { name: 'candidates', required: true, says: 'The texts to judge, each under its number.' },
      ],
      keyPhrases: ['candidate_1'],
      maxLength: 16_000,
    },
  ],
} as const satisfies PromptSet;
