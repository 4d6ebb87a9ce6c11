import type { PromptSchema, PromptSet } from '@areas/prompts/contract/schema';

const MAX_LENGTH = 16_000;

const member = { name: 'member', required: true, says: "The teammate's name." } as const;
const team = { name: 'team', required: true, says: "The team's name." } as const;
const lead = {
  name: 'lead',
  required: false,
  says: 'Who leads the team: a name, or "the operator".',
} as const;
const round = { name: 'round', required: false, says: 'The number of the round, from 1.' } as const;
const tools = {
  name: 'tools',
  required: true,
  says: 'The names of the team tools that it may use.',
} as const;

/** The texts of a team (seed 003). The key phrases come from the seed's two texts and its story. */
const prompts = [
  {
    id: 'team/iterative-teammate',
    title: 'Iterative teammate',
    purpose: 'Goes before the task of a teammate that works in rounds, and is repeated when it is resumed.',
    file: 'iterative-teammate.md',
    requiredFile: true,
    placeholders: [
      member,
      team,
      lead,
      round,
      tools,
      { name: 'members', required: false, says: 'The other teammates, by name.' },
    ],
    keyPhrases: [
      'You are in ITERATIVE MODE',
      'multiple rounds of refinement',
      'team_message',
      '<task-result>',
      'Then WAIT',
      'Do NOT stop',
      'Do NOT mark your task complete',
      'Incorporate the feedback',
      "I'm satisfied",
      "you're done",
      'Only when the lead says',
      'team_tasks_complete',
      'one final <task-result>',
    ],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'team/one-shot-teammate',
    title: 'One-shot teammate',
    purpose: 'Goes before the task of a teammate that reports once and is done.',
    file: 'one-shot-teammate.md',
    requiredFile: true,
    placeholders: [
      member,
      team,
      lead,
      tools,
      { name: 'members', required: false, says: 'The other teammates, by name.' },
    ],
    keyPhrases: ['team_message', '<task-result>', 'team_tasks_complete', 'Then stop'],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'team/lead',
    title: 'Lead',
    purpose: 'Tells an agent that leads a team how to: its tools, its teammates, results and merging.',
    file: 'lead.md',
    requiredFile: true,
    placeholders: [
      team,
      tools,
      { name: 'members', required: true, says: 'The teammates now, each with its mode and its state.' },
    ],
    keyPhrases: ['team_spawn', 'team_results', 'team_shutdown', 'team_merge', 'team_cleanup'],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'team/iterative-lead',
    title: 'Iterative lead',
    purpose: "Follows the lead's text while the team has a teammate that works in rounds.",
    file: 'iterative-lead.md',
    requiredFile: true,
    placeholders: [
      {
        name: 'members',
        required: true,
        says: 'The teammates in iterative mode, each with its round and its state.',
      },
    ],
    keyPhrases: [
      'ITERATIVE MODE',
      'Do NOT shut them down',
      'Do NOT call team_cleanup',
      'team_results',
      'Relay the findings to the user',
      "Wait for the user's explicit feedback",
      'team_message',
      "I'm satisfied with",
      'shut down',
      'ALL iterative agents are done',
    ],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'team/final-round',
    title: 'Final round',
    purpose:
      'Sent to a teammate that works in rounds once the operator is satisfied: one more result, then the end.',
    file: 'final-round.md',
    requiredFile: true,
    placeholders: [{ ...member, required: false }, round],
    keyPhrases: ['Lead is satisfied. Mark complete and send final.', '<task-result status="completed">'],
    maxLength: MAX_LENGTH,
  },
  {
    id: 'team/resumed-note',
    title: 'Resumed note',
    purpose:
      'Sent first when a teammate or a lead goes on after a restart, or after its context was shortened.',
    file: 'resumed-note.md',
    requiredFile: true,
    placeholders: [
      member,
      team,
      round,
      { name: 'instructions', required: true, says: 'The text of its mode, as it was given at the start.' },
      { name: 'why', required: false, says: 'Why it is told again, in a sentence.' },
      { name: 'state', required: false, says: 'Where it stands: what was cut off, what waits for it.' },
    ],
    keyPhrases: [],
    maxLength: MAX_LENGTH,
  },
] as const satisfies readonly PromptSchema[];

export const teamPromptSet = { id: 'team', title: 'Teams', prompts } as const satisfies PromptSet;
