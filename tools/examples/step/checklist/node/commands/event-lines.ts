import type { Tell } from '@main/cli/output/event-line';

/** What happens in a checklist, in a line each. */
export const ofChecklists = {
  'checklist.ticked': ({ activationId, item }, { state }) => ({
    who: state.activations[activationId]?.stepId ?? 'checklist',
    what: `ticked: ${item}`,
  }),
} satisfies Partial<Tell>;
