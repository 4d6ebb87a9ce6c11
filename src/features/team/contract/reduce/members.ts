import { ownValue, setOwnValue } from '@contract/own';
import type { Reducers } from '@contract/run/event-table';
import { LEAD, type TeamEvent } from '../events';
import { changeMember, inTeam, type Teams } from './change';
import { acted } from './messages';

/** Initial state of a new member. */
export const blankMember = {
  rounds: [],
  released: null,
  stopping: null,
  freezing: null,
  stopped: null,
  failed: null,
  merged: null,
  stalled: null,
  plan: { status: 'none' as const, text: '', reason: null },
  queue: [],
  sent: 0,
};

type MemberEvent = Extract<
  TeamEvent,
  {
    type:
      | 'team.member-added'
      | 'team.result'
      | 'team.released'
      | 'team.stopping'
      | 'team.freezing'
      | 'team.stopped'
      | 'team.stalled'
      | 'team.plan'
      | 'team.cleaned-up';
  }
>;

export const memberReducers: Reducers<Teams, MemberEvent> = {
  'team.member-added': inTeam((team, { member, by }, at) => {
    setOwnValue(team.members, member.name, { ...blankMember, ...member, addedAt: at, by });
  }),
  'team.result': inTeam((team, event, at) => {
    const { type: _, activationId: __, ...result } = event;
    const carried = ownValue(team.members, event.member)?.rounds.at(-1)?.messageIds ?? [];
    changeMember(team, event.member, (member) => ({
      rounds: member.rounds.map((round) =>
        round.round === event.round ? { ...round, result, finishedAt: at } : round,
      ),
      stalled: null,
    }));
    acted(team, event.member, carried);
  }),
  'team.released': inTeam((team, { member, how, by }, at) => {
    changeMember(team, member, () => ({ released: { how, by, at } }));
  }),
  'team.stopping': inTeam((team, { member, by, force }, at) => {
    changeMember(team, member, () => ({ stopping: { by, force, at } }));
  }),
  'team.freezing': inTeam((team, { member, reason }, at) => {
    changeMember(team, member, () => ({ freezing: { reason, at } }));
  }),
  'team.stopped': inTeam((team, { member, reason, frozen, unread }, at) => {
    changeMember(team, member, () => ({
      stopped: { reason, at, frozen, ...(unread !== undefined && { unread }) },
      stopping: null,
      freezing: null,
      stalled: null,
    }));
  }),
  'team.stalled': inTeam((team, { member, why }, at) => {
    const stalled = why === null ? null : { since: at, why };
    if (member === LEAD) team.leadStalled = stalled;
    changeMember(team, member, () => ({ stalled }));
  }),
  'team.plan': inTeam((team, { member, status, plan, reason }) => {
    changeMember(team, member, () => ({ plan: { status, text: plan, reason } }));
  }),
  'team.cleaned-up': inTeam((team, { by }, at) => {
    team.cleanedUp = { by, at };
  }),
};
