import type { Handlers } from '@renderer/client/actions';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import type { MemberRow } from '../contract/summary';

export interface MemberActsOf {
  readonly runId: number;
  readonly activationId: number;
  readonly live: boolean;
  /** Addresses the composer to a member. */
  readonly ask: (name: string) => void;
}

export interface MemberActs {
  readonly changes: (name: string) => void;
  readonly satisfied: (name: string) => void;
  readonly shutdown: (name: string, force: boolean) => void;
  /** `agent`: another agent's id, which continues in its place. */
  readonly restore: (name: string, agent?: string) => void;
  readonly merge: (name: string) => void;
  readonly session: (member: MemberRow) => void;
  /** The key handlers for a member; null if an action is not possible now. */
  readonly handlers: (member: MemberRow) => Handlers;
}

/** The operator's actions on a member, wherever it is shown. */
export function memberActs({ runId, activationId, live, ask }: MemberActsOf): MemberActs {
  const place = { runId, activationId };
  const acts: Omit<MemberActs, 'handlers'> = {
    changes: ask,
    satisfied: (member) => void attempt(call('team.satisfied', { ...place, member })),
    shutdown: (member, force) => void attempt(call('team.shutdown', { ...place, member, force })),
    restore: (member, agent) =>
      void attempt(call('team.restore', { ...place, member, ...(agent === undefined ? {} : { agent }) })),
    merge: (member) => void attempt(call('team.merge', { ...place, member })),
    session: ({ sessionId }) => sessionId !== null && navigate(hashOf('session', runId, sessionId)),
  };
  return {
    ...acts,
    handlers: (member) => ({
      'team.changes': can(member, live) ? () => acts.changes(member.name) : null,
      'team.satisfied':
        can(member, live) && !member.stopping && member.iterative ? () => acts.satisfied(member.name) : null,
      'team.shutdown': can(member, live) ? () => acts.shutdown(member.name, member.stopping) : null,
      'team.session': member.sessionId === null ? null : () => acts.session(member),
    }),
  };
}

const can = (member: MemberRow, live: boolean): boolean => live && !member.ended;
