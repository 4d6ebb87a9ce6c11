import { z } from 'zod';
import { whole } from '../../bounds';
import { type EventIn, event } from '../event-table';

/**
 * Progress of a re-prompt chain. Names and fields follow seed 000 section 11; `reprompt_index` counts from 0.
 */
export const progressEvents = [
  event('task.agent_task.reprompt_dispatched', () => ({
    module_id: z.string(),
    reprompt_index: whole(),
    reprompt_count: whole(),
  })),
  event('task.agent_task.reprompt_response', () => ({
    module_id: z.string(),
    reprompt_index: whole(),
    token_count: whole().nullable(),
  })),
  event('task.coding.agent_reprompt_dispatched', () => ({
    module_id: z.string(),
    agent_role: z.string(),
    reprompt_index: whole(),
  })),
  event('task.coding.agent_reprompt_response', () => ({
    module_id: z.string(),
    agent_role: z.string(),
    reprompt_index: whole(),
  })),
] as const;
export type ProgressEvent = EventIn<typeof progressEvents>;
