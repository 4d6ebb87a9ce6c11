import type { RunEvent } from '@contract/run/events';
import { LEAD, OPERATOR } from '@contract/team/events';
import type { TeamState } from '@contract/team/state';
import type { StepDecision } from '../step/decision';
import type { ActivationView } from '../step/module';
import { leadIsAgent, type TeamConfig } from './config';

/** The runtime tells the lead something once, or the operator alone; `about` is what it knows it by again. */
export function noticeOnce(
  view: ActivationView<TeamConfig>,
  team: TeamState,
  { about, text, to }: { readonly about: string; readonly text: string; readonly to?: typeof OPERATOR },
): StepDecision[] {
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
