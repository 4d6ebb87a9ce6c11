import type { Participant, View } from './config';

/** The moderator's lane. Participants' lanes are their names. */
export const MODERATOR = 'moderator';

/** One participant's statement in a round. */
export interface Contribution {
  readonly name: string;
  readonly round: number;
  readonly text: string;
}

/** All contributions in chronological order. */
export function contributionsOf(view: View): Contribution[] {
  const { config } = view;
  const contributions: Contribution[] = [];
  const turns = new Map(config.participants.map(({ name }) => [name, view.lane(name).turns]));
  for (let round = 1; round <= config.rounds; round += 1)
    for (const { name } of config.participants) {
      const text = turns.get(name)?.[round - 1]?.response;
      if (text !== undefined) contributions.push({ name, round, text });
    }
  return contributions;
}

/** The next speaker; null once everyone has spoken in every round. */
export function nextSpeaker(
  { participants, rounds }: View['config'],
  contributions: readonly Contribution[],
): { readonly participant: Participant; readonly round: number } | null {
  const participant = participants[contributions.length % participants.length];
  const round = Math.floor(contributions.length / participants.length) + 1;
  return participant === undefined || round > rounds ? null : { participant, round };
}

/** The contributions since a participant's last one. */
export const since = (contributions: readonly Contribution[], name: string): readonly Contribution[] =>
  contributions.slice(contributions.findLastIndex((one) => one.name === name) + 1);

export const transcriptText = (contributions: readonly Contribution[]): string =>
  contributions.map(({ name, round, text }) => `### ${name}, round ${round}\n${text}`).join('\n\n');
