import { ownValue } from '@contract/own';
import type { StepDecision } from '@main/core/step/decision';
import type { ActivationView } from '@main/core/step/module';
import type { TeamKey } from '../../contract/keys';
import type { MergeState, TeamState } from '../../contract/state';
import { hasEnded } from '../../contract/status';
import { leadIsAgent, type TeamConfig } from '../config';
import { noticeOnce } from './notice';

type View = ActivationView<TeamConfig>;

/** Tells a lead agent how each merge ended, since the operator decides it without the lead. */
export function mergeNotices(view: View, team: TeamState): StepDecision[] {
  if (!leadIsAgent(view.config)) return [];
  return Object.values(team.merges).flatMap((merge) => {
    const text = outcomeOf(team, merge);
    if (text === null) return [];
    const about: TeamKey = ['team.merge-told', merge.status, merge.id, merge.again];
    return noticeOnce(view, team, { about, text: `${text}${end(team, merge)}` });
  });
}

function outcomeOf(team: TeamState, { status, member, rehearsal, error }: MergeState): string | null {
  switch (status) {
    case 'merged':
      return ownValue(team.members, member)?.merged?.commit == null
        ? `${member} left nothing to merge.`
        : `The work of ${member} is merged${rehearsal === null ? '' : ` into ${rehearsal.target}`}.`;
    case 'declined':
      return `The user did not merge the work of ${member}. Its branch stays.`;
    case 'failed':
      return `The work of ${member} is not merged: ${error?.message ?? 'it failed'}. The user is asked what to do.`;
    default:
      return null;
  }
}

/** Only the end is left. */
function end({ members }: TeamState, { status }: MergeState): string {
  if (status === 'failed' || !Object.values(members).every(hasEnded)) return '';
  return ' Every member has ended. Tell the user what was done; the team ends after that.';
}
