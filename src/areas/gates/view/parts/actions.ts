import type { ActionSpecs } from '@renderer/client/actions';

export const gateActions = {
  'gate.approve': { title: 'Approve', keys: 'a', group: 'Gate' },
  'gate.reject': { title: 'Reject with a reason', keys: 'r', group: 'Gate' },
  'gate.rule': { title: 'Allow by rule', keys: 'b', group: 'Gate' },
  'gate.choose': { title: 'Choose an option', keys: 'shift+c', group: 'Gate' },
  'gate.text': { title: 'Add a text to the answer', keys: 't', group: 'Gate' },
  'gate.terminal': { title: 'Type into the terminal of the agent', keys: 'o', group: 'Gate' },
  'gate.alike': { title: 'Answer all similar questions', keys: 'shift+a', group: 'Gate' },
  'gate.snooze': { title: 'Snooze', keys: 's', group: 'Gate' },
  'gate.undo': { title: 'End the snooze', keys: 'u', group: 'Gate' },
  'gate.evidence': { title: 'Open the evidence in its run', keys: 'e', group: 'Gate' },
  'gate.option.1': { title: 'Choose the first option', keys: '1', group: 'Gate', quiet: true },
  'gate.option.2': { title: 'Choose the second option', keys: '2', group: 'Gate', quiet: true },
  'gate.option.3': { title: 'Choose the third option', keys: '3', group: 'Gate', quiet: true },
  'gate.option.4': { title: 'Choose the fourth option', keys: '4', group: 'Gate', quiet: true },
  'gate.option.5': { title: 'Choose the fifth option', keys: '5', group: 'Gate', quiet: true },
  'decision.undo': { title: 'Undo the last decision', keys: 'u, mod+z', group: 'Everywhere' },
  'gate.copy': { title: 'Copy the address of the gate', keys: 'y', group: 'Gate' },
} as const satisfies ActionSpecs;

/** The actions of the options, by their position. */
export const OPTION_ACTIONS = [
  'gate.option.1',
  'gate.option.2',
  'gate.option.3',
  'gate.option.4',
  'gate.option.5',
] as const;

declare module '@renderer/client/actions' {
  interface ActionNames extends Record<keyof typeof gateActions, true> {}
}
