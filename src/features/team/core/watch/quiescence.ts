import { markdown } from '@areas/evidence/contract/response-pieces';
import type { RunEvent } from '@contract/run/events';
import { MINUTE_MS } from '@contract/time-units';
import type { GateDecision, StepDecision } from '@main/core/step/decision';
import type { ActivationView } from '@main/core/step/module';
import { OPERATOR } from '../../contract/events';
import type { TeamKey } from '../../contract/keys';
import { LEAD_LANE, memberLane } from '../../contract/lanes/lanes';
import type { TeamState } from '../../contract/state';
import { hasEnded, hasReported } from '../../contract/status';
import { takeBack, tell } from '../base/operator-questions';
import { leadIsAgent, type TeamConfig } from '../config';

type View = ActivationView<TeamConfig>;
const AT_REST: TeamKey = ['team.at-rest'];

/**
 * An idle team would stay open forever, so the operator is asked: at once if an agent leads and every member
 * has ended or finally delivered, otherwise after the members' maximum wait. An operator who keeps it is
 * asked again after the next turn.
 */
export function restGate(view: View, team: TeamState): StepDecision[] {
  if (!view.resting) return takeBack(view, AT_REST, 'The team goes on.');
  const gate = view.gateByKey(AT_REST);
  if (gate?.status === 'open') return [];
  const { since, turnId, alone } = lastOf(view, team);
  if (gate?.status === 'resolved' && gate.openedAt >= since)
    return gate.answer?.option === 'end' ? tell(cleanedUp(view)) : [];
  const purpose = ['team.rest', turnId] as const;
  if (!alone && view.timer(purpose)?.fired !== true)
    return [{ kind: 'timer', purpose, dueAt: since + view.config.idle_minutes * MINUTE_MS, watches: null }];
  return [question(view)];
}

const cleanedUp = ({ activationId }: View): RunEvent => ({
  type: 'team.cleaned-up',
  activationId,
  by: OPERATOR,
});

interface Last {
  /** When the last thing happened. */
  readonly since: number;
  /** The team's newest turn; 0 if there was none. */
  readonly turnId: number;
  /** A lead that ended its turn, or failed, and whose members have all ended or finally delivered. */
  readonly alone: boolean;
}

function lastOf(view: View, team: TeamState): Last {
  const members = Object.values(team.members);
  const lead = view.lane(LEAD_LANE).last;
  const lasts = [lead, ...members.map(({ name }) => view.lane(memberLane(name)).last)].flatMap(
    (last) => last ?? [],
  );
  return {
    since: Math.max(
      0,
      ...members.map(({ addedAt }) => addedAt),
      ...lasts.map((last) => last.finishedAt ?? 0),
    ),
    turnId: Math.max(0, ...lasts.map((last) => last.turnId)),
    // After stopping a turn, the operator will say what is next.
    alone:
      leadIsAgent(view.config) &&
      members.every((member) => hasEnded(member) || hasReported(member)) &&
      lead?.status !== 'cancelled',
  };
}

function question(view: View): GateDecision {
  const { turns, broken } = view.lane(LEAD_LANE);
  const led = leadIsAgent(view.config) ? 'The lead has ended its turn' : 'All members have delivered';
  // A one-shot member that has reported is not woken: only a lead can continue.
  const again = broken === null && leadIsAgent(view.config) ? ' A message takes it up again.' : '';
  return {
    kind: 'gate',
    about: AT_REST,
    gate: 'team_stalled',
    title: 'The team is at rest',
    message: `${broken === null ? led : 'The lead failed'}, and no one is working.${again}`,
    evidence: markdown(turns.at(-1)?.response),
    options: [
      {
        id: 'end',
        label: 'End the team',
        effect: 'Its members stop; their branches are kept.',
        tone: 'approve',
      },
      {
        id: 'keep',
        label: 'Keep it',
        effect: 'It stays open; you are asked again after its next turn.',
        tone: 'neutral',
      },
    ],
  };
}
