import { minutesSchema } from '@contract/bounds';
import type { Json } from '@contract/ids';
import type { ProcedureInput } from '@contract/ipc';
import { isCostBudget, isTokenBudget } from '@renderer/parts/controls/form-draft';

/** The draft of a member. */
export interface MemberDraft {
  readonly id: number;
  readonly name: string;
  readonly agent: string;
  readonly prompt: string;
  readonly iterative: boolean;
  readonly readOnly: boolean;
  readonly planApproval: boolean;
  readonly model: string;
  readonly idleMinutes: string;
}

export interface TeamDraft {
  readonly name: string;
  /** A profile's id; empty: the operator leads. */
  readonly lead: string;
  readonly instruction: string;
  readonly tokens: string;
  readonly dollars: string;
  readonly members: readonly MemberDraft[];
}

export const blankMember = (id: number, agent: string): MemberDraft => ({
  id,
  name: '',
  agent,
  prompt: '',
  iterative: true,
  readOnly: false,
  planApproval: false,
  model: '',
  idleMinutes: '',
});

/** Adds a member to the draft. */
export const addMember = (draft: TeamDraft, agent: string): TeamDraft => ({
  ...draft,
  members: [...draft.members, blankMember(Math.max(0, ...draft.members.map(({ id }) => id)) + 1, agent)],
});

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/;

/** Why the team cannot be started yet, as a sentence; null if it can. */
export function missing({ name, lead, tokens, dollars, members }: TeamDraft): string | null {
  if (name.trim() === '') return 'The team needs a name.';
  if (members.length === 0 && lead === '') return 'Add a member, or choose a lead that adds members.';
  for (const [index, member] of members.entries()) {
    const which = member.name.trim() === '' ? `Member ${index + 1}` : member.name.trim();
    if (!NAME.test(member.name.trim())) return `${which}: a name has letters, digits and inner hyphens.`;
    if (members.some((other, at) => at < index && sameName(other, member)))
      return `${which}: another member has this name.`;
    if (member.agent === '') return `${which} needs an agent.`;
    if (member.prompt.trim() === '') return `${which} needs a task.`;
    if (member.idleMinutes.trim() !== '' && !minutesSchema.safeParse(Number(member.idleMinutes)).success)
      return `${which}: minutes must be a number above 0, up to 525600 (a year).`;
  }
  if (!isTokenBudget(tokens)) return 'The token budget must be a whole number above 0.';
  if (!isCostBudget(dollars)) return 'The cost budget must be a number above 0.';
  return null;
}

const sameName = (a: MemberDraft, b: MemberDraft): boolean =>
  a.name.trim().toLowerCase() === b.name.trim().toLowerCase();

/** The configuration of a `step.team`, without values that equal the defaults. */
export function configOf({ lead, instruction, members }: TeamDraft): Record<string, Json> {
  return {
    // The field is only shown for a lead agent: text left in it is not sent to members unseen.
    ...(lead === '' || instruction.trim() === '' ? {} : { instruction: instruction.trim() }),
    lead: lead === '' ? 'operator' : { agent: lead },
    members: members.map((member) => ({
      name: member.name.trim(),
      agent: member.agent,
      prompt: member.prompt.trim(),
      iterative: member.iterative,
      ...(member.readOnly ? { read_only: true } : {}),
      ...(member.planApproval ? { plan_approval: true } : {}),
      ...(member.model.trim() === '' ? {} : { model: member.model.trim() }),
      ...(member.idleMinutes.trim() === '' ? {} : { idle_minutes: Number(member.idleMinutes) }),
    })),
  };
}

/** Undefined if none is entered. */
export function budgetOf({ tokens, dollars }: TeamDraft): ProcedureInput<'team.start'>['budget'] {
  if (tokens.trim() === '' && dollars.trim() === '') return undefined;
  return {
    ...(tokens.trim() === '' ? {} : { tokens: Number(tokens) }),
    ...(dollars.trim() === '' ? {} : { cost_usd: Number(dollars) }),
  };
}

/** Reads a saved draft; invalid parts are replaced by defaults. */
export function readDraft(text: string, blank: TeamDraft): TeamDraft {
  try {
    const value: unknown = JSON.parse(text);
    return isDraft(value) ? { ...asIn(blank, value), members: value.members.map(memberOf) } : blank;
  } catch {
    return blank;
  }
}

const isDraft = (value: unknown): value is { readonly members: readonly unknown[] } =>
  typeof value === 'object' && value !== null && 'members' in value && Array.isArray(value.members);

const memberOf = (value: unknown, index: number): MemberDraft => asIn(blankMember(index + 1, ''), value);

/** The parts of `value` with the same types as in `like`: a draft may be an earlier version's. */
function asIn<T extends object>(like: T, value: unknown): T {
  if (typeof value !== 'object' || value === null) return like;
  const known = Object.entries(value).filter(
    ([name, field]) => typeof Reflect.get(like, name) === typeof field,
  );
  return { ...like, ...Object.fromEntries(known) };
}
