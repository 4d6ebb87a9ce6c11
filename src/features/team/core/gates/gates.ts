import type { GateOption } from '@areas/gates/contract/gate';
import { counted } from '@contract/counted';
import { ownValue } from '@contract/own';
import type { StepDecision } from '@main/core/step/decision';
import type { ActivationView, AskedGate } from '@main/core/step/module';
import { LEAD, OPERATOR } from '../../contract/events';
import type { TeamKey } from '../../contract/keys';
import { agentLane, LEAD_LANE, memberLane } from '../../contract/lanes/lanes';
import type { MemberState, MergeState, TeamState } from '../../contract/state';
import { allFailed, hasEnded } from '../../contract/status';
import { hasSent, limited, limitKey, paceAllowed, paceKey, roundsAllowed } from '../base/limits';
import { ask, stop, takeBack, tell } from '../base/operator-questions';
import { leadIsAgent, type TeamConfig } from '../config';
import { noticeOnce } from '../messages/notice';
import { silenceGate } from '../watch/silence';
import { planGate } from './plans';
import { leadWatchGates, watchGates } from './watch-gates';

type View = ActivationView<TeamConfig>;

const RESTORE: GateOption = {
  id: 'restore',
  label: 'Send again',
  effect: 'Its session is taken up again, and its last prompt is sent once more.',
  tone: 'approve',
};

/** A team's gates for the operator, and the consequences of the answers. */
export function gatesOf(view: View, team: TeamState): StepDecision[] {
  const members = Object.values(team.members);
  return [
    ...leadGate(view),
    ...paceGates(view, team),
    ...leadWatchGates(view, team),
    ...members.flatMap((member) => [
      ...failedGate(view, team, member),
      ...limitGate(view, team, member),
      ...silenceGate(view, team, member),
      ...planGate(view, team, member),
      ...watchGates(view, team, member),
      ...wroteGates(view, team, member),
      ...mergeOffer(view, team, member),
    ]),
    ...Object.values(team.merges).flatMap((merge) => [
      ...mergeGate(view, merge),
      ...againGate(view, team, merge),
    ]),
  ];
}

function failedGate(view: View, team: TeamState, member: MemberState): StepDecision[] {
  if (member.failed === null) return [];
  const about = failedKey(member);
  const { activationId, stepId } = view;
  const gate = failedGateOf(view, team, member);
  if (gate?.answer?.option === 'restore')
    return tell({ type: 'lane.restored', activationId, lane: memberLane(member.name), by: OPERATOR });
  const text = `${member.name} failed: ${member.failed.error.message}`;
  const notice = noticeOnce(view, team, { about, text });
  if (gate !== null && gate.status !== 'withdrawn') return notice;
  return [
    ...notice,
    {
      kind: 'gate',
      about,
      lane: memberLane(member.name),
      gate: 'team_stalled',
      title: `${member.name} failed`,
      message: `${stepId}: ${member.failed.error.message}`,
      evidence: null,
      options: [
        RESTORE,
        {
          id: 'leave',
          label: 'Leave it',
          effect: 'The team goes on without it; its branch stays.',
          tone: 'reject',
        },
      ],
    },
  ];
}

const failedKey = ({ name, failed }: MemberState): TeamKey => ['team.failed', name, failed?.at ?? 0];

/**
 * What was asked about a failed member. A step that failed with all of them and is resumed is to end otherwise:
 * what was answered before holds no more.
 */
export function failedGateOf(view: View, team: TeamState, member: MemberState): AskedGate | null {
  const gate = view.gateByKey(failedKey(member));
  return gate?.earlier === true && allFailed(team) ? null : gate;
}

/** Without its lead no one reads the members' deliveries: the operator resumes it, or takes the lead. */
function leadGate(view: View): StepDecision[] {
  const { last, broken, retried } = view.lane(LEAD_LANE);
  if (broken === null) return [];
  // It may have failed before its first turn, and again before its next one.
  const about: TeamKey = ['team.lead-failed', last?.turnId ?? 0, retried === 0 ? null : retried];
  const { activationId, stepId } = view;
  if (view.gateByKey(about)?.answer?.option === 'restore')
    return tell({ type: 'lane.restored', activationId, lane: LEAD_LANE, by: OPERATOR });
  return ask(view, {
    about,
    lane: LEAD_LANE,
    gate: 'team_stalled',
    title: 'The lead failed',
    message: `${stepId}: ${broken.message}`,
    options: [
      RESTORE,
      {
        id: 'leave',
        label: 'Leave it',
        effect: 'The members go on; you write to them yourself.',
        tone: 'reject',
      },
    ],
  });
}

function limitGate(view: View, team: TeamState, member: MemberState): StepDecision[] {
  const allowed = roundsAllowed(view, member);
  const about = limitKey(member, allowed);
  if (hasEnded(member) || !limited(view, member) || member.queue.length === 0)
    return takeBack(view, about, `Nothing waits for ${member.name} any more.`);
  if (view.gateByKey(about)?.answer?.option === 'stop') return tell(stop(view, member, true));
  const waiting = member.queue.map((id) => team.messages[id]?.text ?? '');
  return ask(view, {
    about,
    lane: memberLane(member.name),
    gate: 'team_limit',
    title: `${member.name} has used its ${counted(allowed, 'round')}`,
    message: `${counted(waiting.length, 'message')} ${waiting.length === 1 ? 'waits' : 'wait'} for it.`,
    evidence: waiting.map((text) => ({ kind: 'markdown', text })),
    options: [
      {
        id: 'more',
        label: 'Allow as many again',
        effect: `${member.name} may work ${counted(view.config.max_rounds, 'more round')}.`,
        tone: 'approve',
      },
      { id: 'stop', label: 'Stop it', effect: `${member.name} stops; its branch stays.`, tone: 'reject' },
    ],
  });
}

/**
 * A sender floods the others: more messages are refused until the minute is over, or the operator allows
 * them.
 */
function paceGates(view: View, team: TeamState): StepDecision[] {
  const agents = [...(leadIsAgent(view.config) ? [LEAD] : []), ...Object.keys(team.members)];
  return agents.flatMap((name) => paceGate(view, team, name));
}

function paceGate(view: View, team: TeamState, name: string): StepDecision[] {
  const member = ownValue(team.members, name) ?? null;
  if (member !== null && hasEnded(member)) return [];
  const allowed = paceAllowed(view.config, name, (about) => view.gateByKey(about)?.answer?.option ?? null);
  const about = paceKey(name, allowed);
  if (member?.stopping === null && view.gateByKey(about)?.answer?.option === 'stop')
    return tell(stop(view, member, true));
  // Only the last speaker can have just reached the cap.
  const spoke = team.messages[team.last.message]?.from === name;
  if (!spoke || !hasSent(team, { name, count: allowed, now: view.now })) return [];
  const who = name === LEAD ? 'The lead' : name;
  const end = {
    id: 'stop',
    label: 'Stop it',
    effect: `${name} stops; its branch stays.`,
    tone: 'reject' as const,
  };
  return ask(view, {
    about,
    lane: agentLane(name),
    gate: 'team_limit',
    title: `${who} has sent ${allowed} messages in a minute`,
    message: 'More are refused until the minute is over. What was sent is delivered.',
    options: [
      {
        id: 'keep',
        label: 'Keep the limit',
        effect: 'It may send more when the minute is over.',
        tone: 'approve',
      },
      {
        id: 'more',
        label: 'Allow as many again',
        effect: `${who} may send ${allowed + view.config.messages_per_minute} messages in a minute.`,
        tone: 'neutral',
      },
      ...(member === null ? [] : [end]),
    ],
  });
}

/**
 * A reading member (permanently, or until its plan is approved) is kept from writing by its prompt and
 * policy; if its agent writes anyway, the operator is notified. Nothing is undone automatically, since others
 * may have worked in the folder since.
 */
function wroteGates(view: View, team: TeamState, member: MemberState): StepDecision[] {
  if (!member.readOnly && !member.planApproval) return [];
  const worked = new Set(member.rounds.flatMap(({ turnIds }) => turnIds));
  return view.lane(memberLane(member.name)).turns.flatMap((turn): StepDecision[] => {
    const changes = turn?.changes ?? null;
    if (changes === null || changes.files === 0) return [];
    if (!member.readOnly && worked.has(turn.turnId)) return [];
    const why = member.readOnly ? 'only reads' : 'was to make a plan first';
    const about: TeamKey = ['team.wrote', member.name, turn?.turnId ?? 0];
    const files = changes.files === 1 ? '1 file' : `${changes.files} files`;
    const perhaps =
      changes.shared === true ? ' Others worked there at the same time: it may have been them.' : '';
    const text = `${files} changed in the folder of ${member.name} during its turn, though it ${why}.${perhaps}`;
    if (view.gateByKey(about)?.answer?.option === 'stop' && !hasEnded(member) && member.stopping === null)
      return tell(stop(view, member, true));
    return [
      ...noticeOnce(view, team, { about, text }),
      ...ask(view, {
        about,
        lane: memberLane(member.name),
        gate: 'team_wrote',
        title: `${member.name} ${why}, but files changed`,
        changes: { kind: 'turn', turnId: turn?.turnId ?? 0 },
        message: `${text} Muster kept the folder as it was before: each change can be taken back in the changes of its session.`,
        options: [
          { id: 'keep', label: 'Leave it', effect: 'What changed stays as it is.', tone: 'approve' },
          {
            id: 'stop',
            label: 'Stop it',
            effect: `${member.name} ends; what changed stays as it is.`,
            tone: 'reject',
          },
        ],
      }),
    ];
  });
}

/** Offers to merge a stopped member's changes. */
function mergeOffer(view: View, team: TeamState, member: MemberState): StepDecision[] {
  const { stopped: end, merged } = member;
  const stopped = end !== null && (end.frozen !== null || end.unread !== undefined) && merged === null;
  // Only work on a branch of the project's repository can be merged into it.
  if (
    !stopped ||
    view.workspaceMode !== 'worktree' ||
    Object.values(team.merges).some((merge) => merge.member === member.name)
  )
    return [];
  const { activationId } = view;
  return tell({
    type: 'team.merge-requested',
    activationId,
    mergeId: team.last.merge + 1,
    member: member.name,
    by: 'muster',
  });
}

/** Key of a merge's gate; a merge that is shown again gets another gate. */
export const mergeKey = ({ id, again }: Pick<MergeState, 'id' | 'again'>): TeamKey => [
  'team.merge',
  id,
  again === 0 ? null : again,
];

function mergeGate(view: View, merge: MergeState): StepDecision[] {
  const { activationId } = view;
  const { id: mergeId, member, rehearsal } = merge;
  if (merge.status !== 'rehearsed' || rehearsal === null) return [];
  const about = mergeKey(merge);
  const answer = view.gateByKey(about)?.answer?.option;
  const clean = rehearsal.conflicts.length === 0;
  if (answer === 'merge' && clean)
    return tell({ type: 'team.merge-confirmed', activationId, mergeId, choices: {}, by: OPERATOR });
  if (answer === 'decline') return tell({ type: 'team.merge-declined', activationId, mergeId, by: OPERATOR });
  const files = rehearsal.files === 1 ? '1 file changed' : `${rehearsal.files} files changed`;
  const count = rehearsal.conflicts.length;
  const notes = (rehearsal.notes ?? []).map((note) => ` ${note}`).join('');
  const look = rehearsal.moved === undefined ? '' : `${rehearsal.moved} Look again. `;
  return ask(view, {
    about,
    lane: memberLane(member),
    gate: 'merge',
    title: `Merge ${member} into ${rehearsal.target}?`,
    message: clean
      ? `${look}${files}. Merges cleanly.${notes}`
      : `${look}${files}, and ${count} ${count === 1 ? 'conflicts' : 'conflict'}: decide each of them in the team's chat first.${notes}`,
    evidence: clean
      ? null
      : [
          {
            kind: 'text',
            title: 'In conflict',
            text: rehearsal.conflicts.map(({ path }) => path).join('\n'),
          },
        ],
    changes: { kind: 'merge', activationId, mergeId },
    options: [
      ...(clean
        ? [
            {
              id: 'merge',
              label: 'Merge',
              effect: `The work of ${member} is committed on ${rehearsal.target} in your checkout.`,
              tone: 'approve' as const,
            },
          ]
        : []),
      { id: 'decline', label: 'Not now', effect: 'The branch stays as it is.', tone: 'reject', mild: true },
    ],
  });
}

/** A merge that was not made waits for the operator until the next one: the member's work still exists. */
export const waitsAgain = ({ members, merges }: TeamState, { id, status, member }: MergeState): boolean =>
  status === 'failed' &&
  ownValue(members, member)?.merged === null &&
  !Object.values(merges).some((later) => later.member === member && later.id > id);

function againGate(view: View, team: TeamState, merge: MergeState): StepDecision[] {
  if (merge.status !== 'failed') return [];
  const { activationId } = view;
  const { id: mergeId, member, error, rehearsal } = merge;
  const about = mergeKey(merge);
  if (!waitsAgain(team, merge)) return takeBack(view, about, 'The merge was asked for again.');
  const before = view.gateByKey(about);
  if (before?.status === 'open') return [];
  const answer = before?.answer?.option;
  if (answer === 'decline') return tell({ type: 'team.merge-declined', activationId, mergeId, by: OPERATOR });
  if (answer === 'again') {
    const next = { activationId, mergeId: team.last.merge + 1, member, by: OPERATOR };
    return tell({ type: 'team.merge-requested', ...next });
  }
  return [
    {
      kind: 'gate',
      about,
      lane: memberLane(member),
      gate: 'merge',
      title: `The work of ${member} is not merged`,
      message: [error?.message, error?.mend].filter((part) => part !== undefined).join(' '),
      evidence: null,
      ...(rehearsal === null ? {} : { changes: { kind: 'merge' as const, activationId, mergeId } }),
      options: [
        {
          id: 'again',
          label: 'Try again',
          effect: 'It is tried on your checkout as it is then; nothing is changed before you confirm.',
          tone: 'approve',
        },
        { id: 'decline', label: 'Not now', effect: 'The branch stays as it is.', tone: 'reject', mild: true },
      ],
    },
  ];
}
