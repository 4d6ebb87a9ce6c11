import type { ActionSpecs } from '../../client/actions';

export const gateActions = {
  'gate.approve': { title: 'Approve', keys: 'a', group: 'Gate' },
  'gate.reject': { title: 'Reject with a reason', keys: 'r', group: 'Gate' },
  'gate.rule': { title: 'Allow by rule', keys: 'b', group: 'Gate' },
  'gate.choose': { title: 'Choose an option', keys: 'c', group: 'Gate' },
  'gate.text': { title: 'Add a text to the answer', keys: 't', group: 'Gate' },
  'gate.terminal': { title: 'Type into the terminal of the agent', keys: 'o', group: 'Gate' },
  'gate.alike': { title: 'Answer all questions of this cause alike', keys: 'shift+a', group: 'Gate' },
  'gate.snooze': { title: 'Snooze', keys: 's', group: 'Gate' },
  'gate.undo': { title: 'End the snooze', keys: 'u', group: 'Gate' },
  'gate.evidence': { title: 'Open the evidence in its run', keys: 'e', group: 'Gate' },
  'gate.copy': { title: 'Copy the address of the gate', keys: 'y', group: 'Gate' },
} as const satisfies ActionSpecs;

declare module '../../client/actions' {
  interface ActionNames extends Record<keyof typeof gateActions, true> {}
}
