import type { RunEvent } from '@contract/run/events';
import type { GateDecision, StepDecision } from '@main/core/step/decision';
import type { ActivationView } from '@main/core/step/module';
import { OPERATOR } from '../../contract/events';
import type { TeamKey } from '../../contract/keys';
import type { MemberState } from '../../contract/state';
import type { TeamConfig } from '../config';

type View = ActivationView<TeamConfig>;
type QuestionGate = Omit<GateDecision, 'kind' | 'evidence'> & {
  readonly about: TeamKey;
  readonly evidence?: GateDecision['evidence'];
};

/** Asks once, and again if the gate was withdrawn; the caller handles the answer. */
export const ask = (view: View, gate: QuestionGate): StepDecision[] =>
  (view.gateByKey(gate.about)?.status ?? 'withdrawn') === 'withdrawn'
    ? [{ kind: 'gate', evidence: null, ...gate }]
    : [];

/** Withdraws a gate that has become obsolete, so that it disappears from the inbox. */
export function takeBack(view: View, about: TeamKey, reason: string): StepDecision[] {
  const gate = view.gateByKey(about);
  return gate?.status === 'open' ? tell({ type: 'gate.withdrawn', gateId: gate.gateId, reason }) : [];
}

export const tell = (...events: RunEvent[]): StepDecision[] => [{ kind: 'tell', events }];

/** The operator's answer stops a member. */
export const stop = (view: View, member: MemberState, force: boolean): RunEvent => ({
  type: 'team.stopping',
  activationId: view.activationId,
  member: member.name,
  by: OPERATOR,
  force,
});
