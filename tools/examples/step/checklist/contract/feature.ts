import { defineFeature, worksIf } from '@contract/run/features/feature';
import { checklistEvents } from './events';

/** The items ticked in one activation, in order. */
export interface ChecklistState {
  readonly ticked: readonly string[];
}

export const checklistFeature = defineFeature({
  slice: 'checklists',
  events: checklistEvents,
  reducers: {
    'checklist.ticked': (slice: Record<number, ChecklistState>, { activationId, item }) => {
      slice[activationId] = { ticked: [...(slice[activationId]?.ticked ?? []), item] };
    },
  },
  follows: {},
  progress: () => worksIf(false),
});
