import type { RunEvent } from '@contract/run/events';
import type { ActivationView } from '@main/core/step/module';
import { LEAD, OPERATOR } from '../../contract/events';
import { teamKey } from '../../contract/keys';
import type { MemberState, TeamState } from '../../contract/state';
import { leadIsAgent, type TeamConfig } from '../config';
import { messagesOf } from './queue';

const MOST_SHOWN = 200;

/**
 * When a member stops with waiting instructions, their senders are told that they were not read. `after`:
 * messages committed before this one in the same commit.
 */
export function unreadAtTheEnd(
  view: ActivationView<TeamConfig>,
  { team, member }: { team: TeamState; member: MemberState },
  after = 0,
): RunEvent[] {
  const unread = messagesOf(team, member.queue).filter(({ kind }) => kind === 'instruction');
  if (unread.length === 0) return [];
  const byLead = leadIsAgent(view.config) && unread.some(({ from }) => from === LEAD);
  const texts = unread.map(({ text }) => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text));
  return [
    {
      type: 'team.message',
      activationId: view.activationId,
      messageId: team.last.message + 1 + after,
      from: 'muster',
      to: byLead ? [LEAD, OPERATOR] : [OPERATOR],
      kind: 'notice',
      text: `${member.name} has stopped and did not read: ${texts.join(' / ')}`,
      about: teamKey.text(['team.unread', member.name, unread.at(-1)?.id ?? 0]),
    },
  ];
}
