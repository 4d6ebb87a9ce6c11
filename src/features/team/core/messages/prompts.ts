import { type PromptId, promptSchema } from '@areas/prompts/contract/sets';
import { renderPrompt } from '@areas/prompts/core/render';
import { ownValue } from '@contract/own';
import type { ActivationView, LaneView } from '@main/core/step/module';
import { LEAD, OPERATOR } from '../../contract/events';
import { MUSTER } from '../../contract/messages/thread';
import type { MemberState, TeamMessage, TeamState } from '../../contract/state';
import { hasEnded, isPlanning } from '../../contract/status';
import { leadIsAgent, type TeamConfig } from '../config';
import { roundOfTurn } from './queue';
import { hasTaskResult } from './task-result';

type View = ActivationView<TeamConfig>;

/** A team's prompt texts. */
export const teamTexts = [
  'team/iterative-teammate',
  'team/one-shot-teammate',
  'team/iterative-lead',
  'team/lead',
  'team/final-round',
  'team/resumed-note',
] as const satisfies readonly PromptId[];

type Prompted = (id: string) => string | null;
const textsOf =
  (view: View): Prompted =>
  (id) =>
    view.promptText(id);

/** A prompt text of the run, as frozen at its start; a run of a team cannot start without. */
function textOf<const Id extends PromptId>(
  prompted: Prompted,
  id: Id,
  values: Parameters<typeof renderPrompt<ReturnType<typeof promptSchema<Id>>>>[2],
): string {
  const text = prompted(id);
  if (text === null) throw new Error(`the run has no prompt text ${id}`);
  return renderPrompt(promptSchema(id), text, values).trim();
}

const MEMBER_TOOLS =
  'team_message, team_broadcast, team_results, team_tasks_add, team_tasks_claim, team_tasks_complete, team_tasks_list';
const LEAD_TOOLS = `team_spawn, ${MEMBER_TOOLS}, team_status, team_shutdown, team_merge, team_cleanup`;

/** In place of a list of tools, since agents search in vain for a missing tool they read about. */
const NO_TOOLS =
  'none reach you here. Where one is named, do without it: end your turn with your output in the <task-result> format, and Muster hands it to your lead.';
const NO_LEAD_TOOLS =
  'none reach you here. Where one is named, do without it: end your turn and tell the user what to do, who can do all of it in Muster.';

const PLAN_FIRST =
  'Before you change anything, answer with a plan of what you will do, and end your turn. Change no file yet: until the user approves the plan you can only read. It is approved, or sent back with a reason.';

/** Key of the message with the request to a team led by the operator. */
export const TASK = 'task';

const taskOf = ({ messages }: TeamState): string =>
  Object.values(messages).find(({ about }) => about === TASK)?.text ?? '';

function list(
  team: TeamState,
  only: (member: MemberState) => boolean,
  standingOf: (member: MemberState) => string = () => '',
): string {
  const members = Object.values(team.members).filter((member) => !hasEnded(member) && only(member));
  if (members.length === 0) return '- none';
  return members
    .map((member) => {
      const { name, profileId, iterative } = member;
      return `- ${name} (${profileId}${iterative ? ', iterative' : ''})${standingOf(member)}`;
    })
    .join('\n');
}

function standing({ rounds, stopping }: MemberState): string {
  const last = rounds.at(-1);
  if (last === undefined) return ': its first round is to come';
  if (stopping !== null || last.final) return `: round ${last.round}, and its last one`;
  return last.result === null
    ? `: round ${last.round}, at work`
    : `: round ${last.round} is delivered, it waits for the user’s feedback`;
}

function roleOf(
  view: View,
  team: TeamState,
  { member, round }: { member: MemberState; round: number },
): string {
  const values = {
    member: member.name,
    team: view.title,
    lead: leadIsAgent(view.config) ? LEAD : 'the operator',
    tools: view.takesTools(member.profileId) ? MEMBER_TOOLS : NO_TOOLS,
    members: list(team, (other) => other.name !== member.name),
  };
  if (!member.iterative) return textOf(textsOf(view), 'team/one-shot-teammate', values);
  return textOf(textsOf(view), 'team/iterative-teammate', { ...values, round: String(round) });
}

/** Why someone has to be told again who it is; null where it knows. */
function forgotten({ resumed, compacted }: Pick<LaneView, 'resumed' | 'compacted'>): string | null {
  if (resumed) return 'Your session was taken up again.';
  return compacted ? 'Your conversation was shortened to make room.' : null;
}

interface MemberTurn {
  readonly messages: readonly TeamMessage[];
  readonly first: boolean;
  readonly final: boolean;
  readonly round: number;
}

/** A member's prompt: its role, at first and again after a resume, then all waiting messages. */
export function memberPrompt(
  view: View,
  { team, member }: { team: TeamState; member: MemberState },
  { messages, first, final, round }: MemberTurn,
): string {
  const parts: string[] = [];
  const why = forgotten(view.lane(`member-${member.name}`));
  if (first) parts.push(roleOf(view, team, { member, round }));
  else if (why !== null) {
    parts.push(
      textOf(textsOf(view), 'team/resumed-note', {
        member: member.name,
        team: view.title,
        round: String(round),
        why,
        instructions: roleOf(view, team, { member, round }),
        state: '',
      }),
    );
  }
  if (isPlanning(member)) parts.push(PLAN_FIRST);
  if (first) parts.push(taskOf(team));
  parts.push(...messages.map((message) => messageText(message, first)));
  if (final) {
    parts.push(textOf(textsOf(view), 'team/final-round', { member: member.name, round: String(round) }));
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

function messageText({ from, text, kind }: TeamMessage, first: boolean): string {
  if (kind === 'instruction' && first) return `## Your task\n${text}`;
  const who = from === LEAD ? 'Lead' : from === OPERATOR ? 'The operator' : from === MUSTER ? 'Muster' : from;
  return kind === 'note' ? `Note from ${who}:\n${text}` : `${who} says:\n${text}`;
}

/** The section of seed 003 for a lead with iterative members. */
export const iterativeSection = (prompted: (id: string) => string | null, team: TeamState): string =>
  textOf(prompted, 'team/iterative-lead', { members: list(team, (member) => member.iterative, standing) });

/** A lead agent's prompt. */
export function leadPrompt(
  view: View,
  team: TeamState,
  { messages, first }: { messages: readonly TeamMessage[]; first: boolean },
): string {
  const parts: string[] = [];
  const why = forgotten(view.lane('lead'));
  if (first || why !== null) {
    const { lead } = view.config;
    const reached = lead !== 'operator' && view.takesTools(lead.agent);
    const tools = reached ? LEAD_TOOLS : NO_LEAD_TOOLS;
    const values = { team: view.title, tools, members: list(team, () => true) };
    const role = [textOf(textsOf(view), 'team/lead', values)];
    if (Object.values(team.members).some((member) => member.iterative))
      role.push(iterativeSection(textsOf(view), team));
    const instructions = role.join('\n\n');
    parts.push(
      first || why === null
        ? instructions
        : textOf(textsOf(view), 'team/resumed-note', {
            member: LEAD,
            team: view.title,
            round: '',
            why,
            instructions,
            state: '',
          }),
    );
  }
  const most = shareOfResults(messages);
  parts.push(...messages.map((message) => messageToLead(team, message, most)));
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Maximum characters of a result in the lead's prompt; `team_results` returns all of it. */
const RESULT_IN_PROMPT = 12_000;
/** Maximum characters of all results in one prompt together. */
const RESULTS_IN_PROMPT = 60_000;

/** Maximum characters per result: short ones leave their share to long ones. */
function shareOfResults(messages: readonly TeamMessage[]): number {
  const lengths = messages.flatMap(({ kind, text }) => (kind === 'result' ? [text.length] : []));
  let remaining = RESULTS_IN_PROMPT;
  for (const [index, length] of lengths.sort((a, b) => a - b).entries()) {
    const share = Math.floor(remaining / (lengths.length - index));
    if (length > share) return Math.min(share, RESULT_IN_PROMPT);
    remaining -= length;
  }
  return RESULT_IN_PROMPT;
}

function messageToLead(team: TeamState, { from, text, kind, turnId }: TeamMessage, most: number): string {
  if (kind === 'notice') return `Notice from Muster: ${text}`;
  const who = from === OPERATOR ? 'The user' : from;
  if (kind !== 'result') return `${who} says:\n${text}`;
  const member = ownValue(team.members, from);
  const round = roundOfTurn(member, turnId);
  const call = round === null ? 'team_results' : `team_results with from "${from}" and round ${round}`;
  const shown = text.length <= most ? text : `${text.slice(0, most)}\n… more of it: call ${call}`;
  const claim = member?.rounds.find((one) => one.round === round)?.result?.claim ?? 'none';
  const status = claim === 'none' ? '' : ` status="${claim}"`;
  const tagged = hasTaskResult(text) ? shown : `<task-result${status}>\n${shown}\n</task-result>`;
  if (round === null) return `${turnId === null ? 'Result' : 'Plan'} of ${from}:\n${tagged}`;
  const waits = member?.iterative === true && waitsAfter(member, round);
  return `Result of ${from} (round ${round}${waits ? ', iterative: it waits for the user’s feedback' : ''}):\n${tagged}`;
}

/** Nothing has followed that round yet. */
const waitsAfter = (member: MemberState, round: number): boolean =>
  member.rounds.at(-1)?.round === round && member.stopping === null && !hasEnded(member);
