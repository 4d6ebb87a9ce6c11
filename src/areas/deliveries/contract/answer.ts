import type { GateKind } from '@areas/gates/contract/gate';
import { lazyStrictObject } from '@contract/lazy-object';
import { z } from 'zod';
import type { AnswerPolicy } from './target';

/** The maximum length of an answer's text or reason, in characters. */
const LONGEST_TEXT = 10_000;
const LONGEST_TOKEN = 4_096;

/** Control characters could act on a terminal that shows the text; line ends and tabs are allowed. */
const isPlain = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text.replaceAll(/[\n\r\t]/g, ''));
const words = z
  .string()
  .max(LONGEST_TEXT, `at most ${LONGEST_TEXT} characters`)
  .refine(isPlain, 'plain text without control characters');

export const answerInputSchema = lazyStrictObject(() => ({
  token: z.string().min(1).max(LONGEST_TOKEN, 'this is no answer token'),
  /** The id of one of the options that the delivery offered. */
  option: z.string().min(1).max(200),
  text: words.optional(),
  reason: words.optional(),
}));
export type AnswerInput = z.infer<z.ZodType<z.output<typeof answerInputSchema>>>;

export const answerGivenSchema = z.object({
  /** `RUN/GATE`, as on the command line. */
  gate: z.string(),
  title: z.string(),
  option: z.string(),
  label: z.string(),
  /** Who answered, as the history shows it. */
  by: z.string(),
});
export type AnswerGiven = z.infer<typeof answerGivenSchema>;

/** How a delivered question can be answered from its target. */
export interface AnswerOffer {
  /** Where the answer is posted. */
  readonly url: string;
  readonly token: string;
  /** ISO 8601; afterwards the question can only be answered in Muster. */
  readonly expires: string;
  /** Ids of the options that the token permits. */
  readonly options: readonly string[];
}

/**
 * Kinds of questions whose answer lets an agent act on the machine or changes the operator's checkout. A new
 * kind does not compile until it is listed.
 */
const GUARDED: Readonly<Record<GateKind, boolean>> = {
  approval: false,
  permission: true,
  interrupted_turn: false,
  interrupted_command: false,
  login: false,
  provider_limit: false,
  budget: false,
  budget_near: false,
  review_escalation: false,
  merge: true,
  team_plan: false,
  team_stalled: false,
  team_limit: false,
  team_wrote: false,
  iteration_blocked: false,
  iteration_failed: false,
  terminal_question: true,
  agent_silent: false,
  permission_flood: false,
  host_lost: false,
};

/** Whether this policy lets a target answer questions of this kind. */
export const answerableFrom = (policy: AnswerPolicy, kind: GateKind): boolean =>
  policy === 'everything' || (policy === 'questions' && !GUARDED[kind]);

/** Targets answer single questions; standing permission rules are made only in Muster. */
export const offeredToTarget = ({ id }: { readonly id: string }): boolean => id !== 'allow_rule';
