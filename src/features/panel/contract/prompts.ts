import type { PromptSet } from '@areas/prompts/contract/schema';

const topic = { name: 'topic', required: true, says: 'What the panel discusses.' } as const;
const transcript = {
  name: 'transcript',
  required: false,
  says: 'What was said before, between its marker lines.',
} as const;

/** The texts of step.panel. */
export const panelPromptSet = {
  id: 'panel',
  title: 'Panel',
  prompts: [
    {
      id: 'panel/opening',
      title: 'Opening',
      purpose: 'The first prompt of each participant.',
      file: 'opening.md',
      requiredFile: true,
      placeholders: [
        topic,
        { name: 'name', required: true, says: 'The name of the participant.' },
        { name: 'others', required: true, says: 'The names of the other participants.' },
        { name: 'role', required: false, says: 'What the participant stands for, where the step says so.' },
        { name: 'input', required: false, says: 'What came in, between its marker lines.' },
        transcript,
      ],
      keyPhrases: [],
      maxLength: 16_000,
    },
    {
      id: 'panel/round',
      title: 'Further rounds',
      purpose: 'Each further prompt of a participant: what the others said since.',
      file: 'round.md',
      requiredFile: true,
      placeholders: [
        { name: 'round', required: true, says: 'The number of the round.' },
        { name: 'rounds', required: true, says: 'How many rounds there are.' },
        transcript,
      ],
      keyPhrases: [],
      maxLength: 16_000,
    },
    {
      id: 'panel/moderator',
      title: 'Moderator',
      purpose: 'Asks the moderator for the conclusion after the last round.',
      file: 'moderator.md',
      requiredFile: true,
      placeholders: [
        topic,
        { name: 'instruction', required: false, says: 'What else the step says.' },
        transcript,
      ],
      keyPhrases: [],
      maxLength: 16_000,
    },
  ],
} as const satisfies PromptSet;
