import type { EventContext, Said, Tell } from '@main/cli/output/event-line';

const quiet = (): null => null;
const inTeam = ({ state }: EventContext, activationId: number): string =>
  state.activations[activationId]?.stepId ?? 'team';

/** One line per event of a team; messages themselves are in its chat. */
export const ofTeams = {
  'lane.failed': ({ activationId, lane, error }, at): Said => ({
    who: inTeam(at, activationId),
    what: at.style.bad(`${lane} has ended: ${error.message}`),
  }),
  'lane.restored': ({ activationId, lane }, at) => ({
    who: inTeam(at, activationId),
    what: `${lane} is taken up again`,
  }),
  'team.member-added': ({ activationId, member, by }, at) => ({
    who: inTeam(at, activationId),
    what: `${member.name} joins (${member.profileId}${member.iterative ? ', iterative' : ''}), says ${by}`,
  }),
  'team.message': quiet,
  'team.message-edited': quiet,
  'team.message-withdrawn': quiet,
  'team.delivered': quiet,
  'team.seen': quiet,
  'team.result': ({ activationId, member, round, final }, at) => ({
    who: inTeam(at, activationId),
    what: `${member} delivered round ${round}${final ? ', final' : ''}`,
  }),
  'team.released': ({ activationId, member, by, how }, at) => ({
    who: inTeam(at, activationId),
    what: how === 'satisfied' ? `${by} is satisfied with ${member}` : `${by} shuts down ${member}`,
  }),
  'team.stopping': quiet,
  'team.freezing': quiet,
  'team.stopped': ({ activationId, member, reason }, at) => ({
    who: inTeam(at, activationId),
    what: `${member} stopped: ${reason}`,
  }),
  'team.stalled': ({ activationId, member, why }, at) =>
    why === null ? null : { who: inTeam(at, activationId), what: at.style.waits(`${member} stalls: ${why}`) },
  'team.plan': ({ activationId, member, status }, at) => ({
    who: inTeam(at, activationId),
    what: `plan of ${member}: ${status}`,
  }),
  'team.merge-requested': quiet,
  'team.merge-rehearsed': quiet,
  'team.merge-confirmed': quiet,
  'team.merge-declined': quiet,
  'team.merged': ({ activationId, mergeId }, at) => ({
    who: inTeam(at, activationId),
    what: at.style.good(`merged ${at.state.teams[activationId]?.merges[mergeId]?.member ?? ''}`),
  }),
  'team.merge-failed': ({ activationId, error }, at) => ({
    who: inTeam(at, activationId),
    what: at.style.bad(`not merged: ${error.message}`),
  }),
  'team.task-added': quiet,
  'team.task-claimed': quiet,
  'team.task-freed': quiet,
  'team.task-completed': quiet,
  'team.cleaned-up': ({ activationId, by }, at) => ({
    who: inTeam(at, activationId),
    what: `the team is cleaned up, says ${by}`,
  }),
} satisfies Partial<Tell>;
