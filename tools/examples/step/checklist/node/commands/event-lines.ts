import type { Tell } from '@main/cli/output/event-line';

/** The events of a checklist, in one line each. */
export const ofChecklists = {
  'checklist.ticked': ({ activationId, item }, { state }) => ({
    who: state.activations[activationId]?.stepId ?? 'checklist',
    what: `ticked: ${item}`,
  }),
} satisfies Partial<Tell>;
