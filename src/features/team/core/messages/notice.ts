import type { RunEvent } from '@contract/run/events';
import type { StepDecision } from '@main/core/step/decision';
import type { ActivationView } from '@main/core/step/module';
import { LEAD, OPERATOR } from '../../contract/events';
import { type TeamKey, teamKey } from '../../contract/keys';
import type { TeamState } from '../../contract/state';
import { leadIsAgent, type TeamConfig } from '../config';

/** Tells the lead something once, or only the operator; `about` is the key of the notice. */
export function noticeOnce(
  view: ActivationView<TeamConfig>,
  team: TeamState,
  { about: key, text, to }: { readonly about: TeamKey; readonly text: string; readonly to?: typeof OPERATOR },
): StepDecision[] {
  const about = teamKey.text(key);
  if (Object.values(team.messages).some((message) => message.about === about)) return [];
  const event: RunEvent = {
    type: 'team.message',
    activationId: view.activationId,
    messageId: team.last.message + 1,
    from: 'muster',
    to: [to ?? (leadIsAgent(view.config) ? LEAD : OPERATOR)],
    kind: 'notice',
    text,
    about,
  };
  return [{ kind: 'tell', events: [event] }];
}
