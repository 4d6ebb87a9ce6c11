import { type DecisionTail, readTail } from '@areas/evidence/contract/answer-tail';
import type { ActivationView, AnsweredTurn } from '@main/core/step/module';
import { type CodingConfig, chainOf, laneOf } from './config';

type View = ActivationView<CodingConfig>;

/** The position of a turn in its lane. */
interface TurnPlace {
  readonly agent: number;
  /** Counts from 1; only a review chain has more than one. */
  readonly round: number;
  /** 0: the first prompt of the agent's part; then its re-prompts; `reminder` asks again for a decision. */
  readonly index: number | 'reminder';
}

/** One agent's completed part: its prompt and re-prompts, answered. */
export interface Phase {
  readonly agent: number;
  readonly round: number;
  readonly turns: readonly AnsweredTurn[];
}

export interface Decided {
  readonly decision: 'approve' | 'revise' | null;
  readonly by: 'agent' | 'operator' | null;
  readonly findings: DecisionTail['findings'];
  /** The operator's text, or the review without its tail. */
  readonly text: string;
}

/** A turn to be sent, with its position in the lane, from 0. */
export interface NextTurn extends TurnPlace {
  readonly ordinal: number;
}

/** The progress of an activation, derived from its answered turns. */
export interface Course {
  readonly phases: readonly Phase[];
  /** The decision of each review, by round. */
  readonly reviews: readonly Decided[];
  /** Turns that can be sent now; several if agents work in parallel. */
  readonly wanted: readonly NextTurn[];
  /** The reviewer gave no decision, even after a reminder, and the operator has not decided yet. */
  readonly undecided: Phase | null;
  /** Null while it continues. */
  readonly approved: boolean | null;
}

/**
 * Derives the progress (seed 000 section 3.2) from the answered turns. A part is a chain that one agent
 * completes before others see its output; in a review chain the parts alternate until the reviewer approves,
 * or until `max_rounds`.
 */
export function courseOf(view: View): Course {
  return view.config.coordination === 'review_chain' ? reviewCourse(view) : plainCourse(view);
}

function plainCourse(view: View): Course {
  const { config } = view;
  const phases: Phase[] = [];
  const wanted: NextTurn[] = [];
  for (const [agent, assignment] of config.agents.entries()) {
    const { turns } = view.lane(laneOf(agent));
    if (turns.length < chainOf(assignment)) {
      wanted.push({ agent, round: 1, index: turns.length, ordinal: turns.length });
      if (config.coordination !== 'parallel') break;
    } else phases.push({ agent, round: 1, turns });
  }
  const done = wanted.length === 0 ? true : null;
  return { phases, reviews: [], wanted, undecided: null, approved: done };
}

/** The turns of one agent in a review chain that are not assigned to parts yet. */
class Reading {
  at = 0;
  constructor(
    private readonly agent: number,
    private readonly turns: readonly AnsweredTurn[],
    private readonly length: number,
  ) {}

  /** The next part, or the turn that it still needs. */
  part(round: number): Phase | NextTurn {
    const turns = this.turns.slice(this.at, this.at + this.length);
    if (turns.length < this.length)
      return { agent: this.agent, round, index: turns.length, ordinal: this.at + turns.length };
    this.at += this.length;
    return { agent: this.agent, round, turns };
  }

  /** The answer to the reminder, or the reminder to send. */
  reminded(round: number): AnsweredTurn | NextTurn {
    const turn = this.turns[this.at];
    if (turn === undefined) return { agent: this.agent, round, index: 'reminder', ordinal: this.at };
    this.at += 1;
    return turn;
  }
}

const isWanted = (found: Phase | NextTurn | AnsweredTurn): found is NextTurn => 'index' in found;

function reviewCourse(view: View): Course {
  const [builder, reviewer] = view.config.agents;
  const read = (agent: number) =>
    new Reading(
      agent,
      view.lane(laneOf(agent)).turns,
      agent === 0 ? (builder ? chainOf(builder) : 1) : reviewer ? chainOf(reviewer) : 1,
    );
  const build = read(0);
  const review = read(1);
  const phases: Phase[] = [];
  const reviews: Decided[] = [];
  const course = (more: Partial<Course>): Course => ({
    phases,
    reviews,
    wanted: [],
    undecided: null,
    approved: null,
    ...more,
  });
  let answers = 0;
  for (let round = 1; round <= view.config.max_rounds; round += 1) {
    const built = build.part(round);
    if (isWanted(built)) return course({ wanted: [built] });
    phases.push(built);
    const reviewed = review.part(round);
    if (isWanted(reviewed)) return course({ wanted: [reviewed] });
    phases.push(reviewed);
    const last = reviewed.turns.at(-1)?.response ?? '';
    let decided = byAgent(last, null);
    if (decided.decision === null) {
      const answer = review.reminded(round);
      if (isWanted(answer)) return course({ wanted: [answer] });
      decided = byAgent(answer.response, last);
    }
    if (decided.decision === null) {
      const operator = view.gates[answers]?.answer ?? null;
      answers += 1;
      if (operator === null) return course({ undecided: reviewed });
      const text = operator.reason?.trim() || operator.text?.trim() || decided.text;
      const decision = operator.option === 'approve' || operator.option === 'revise' ? operator.option : null;
      decided = { decision, by: 'operator', findings: decided.findings, text };
    }
    reviews.push(decided);
    if (decided.decision !== 'revise') return course({ approved: decided.decision === 'approve' });
  }
  return course({ approved: false });
}

/** The answer to a reminder is often only the decision, so the earlier findings of the review count too. */
function byAgent(response: string, before: string | null): Decided {
  const tail = readTail(response);
  const earlier = before === null ? null : readTail(before);
  const findings = tail !== null && tail.findings.length > 0 ? tail.findings : (earlier?.findings ?? []);
  const decision = tail?.decision ?? null;
  const text = before ?? tail?.body ?? response;
  return { decision, by: decision === null ? null : 'agent', findings, text: text.trim() };
}

/** The position of a turn in its lane, for progress and updates. */
export function placeOf(view: View, lane: { readonly agent: number; readonly ordinal: number }): TurnPlace {
  const { agent, ordinal } = lane;
  const length = chainOf(view.config.agents[agent] ?? { ...emptyAgent });
  if (view.config.coordination !== 'review_chain') return { agent, round: 1, index: ordinal };
  if (agent === 0) return { agent, round: Math.floor(ordinal / length) + 1, index: ordinal % length };
  return reviewerPlace(view, { agent, ordinal, length });
}

/** A reviewer's chain has an additional reminder after each last answer without a decision. */
function reviewerPlace(
  view: View,
  { agent, ordinal, length }: { agent: number; ordinal: number; length: number },
): TurnPlace {
  const { turns } = view.lane(laneOf(agent));
  let start = 0;
  for (let round = 1; ; round += 1) {
    if (ordinal < start + length) return { agent, round, index: ordinal - start };
    start += length;
    const decided = readTail(turns[start - 1]?.response ?? '')?.decision ?? null;
    if (decided !== null) continue;
    if (ordinal === start) return { agent, round, index: 'reminder' };
    start += 1;
  }
}

const emptyAgent = {
  role: '',
  acp_profile_id: null,
  agent_config: null,
  instruction_override: null,
  re_prompts: [],
};
