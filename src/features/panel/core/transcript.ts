import type { Participant, View } from './config';

/** Its session, apart from those of the participants, whose lanes are their names. */
export const MODERATOR = 'moderator';

/** What a participant said in a round. */
export interface Contribution {
  readonly name: string;
  readonly round: number;
  readonly text: string;
}

/** Everything that was said, in the order in which it was said. */
export function contributionsOf(view: View): Contribution[] {
  const { config } = view;
  const said: Contribution[] = [];
  const turns = new Map(config.participants.map(({ name }) => [name, view.lane(name).turns]));
  for (let round = 1; round <= config.rounds; round += 1)
    for (const { name } of config.participants) {
      const text = turns.get(name)?.[round - 1]?.response;
      if (text !== undefined) said.push({ name, round, text });
    }
  return said;
}

/** Who speaks next; null once everyone has spoken in every round. */
export function nextSpeaker(
  { participants, rounds }: View['config'],
  said: readonly Contribution[],
): { readonly participant: Participant; readonly round: number } | null {
  const participant = participants[said.length % participants.length];
  const round = Math.floor(said.length / participants.length) + 1;
  return participant === undefined || round > rounds ? null : { participant, round };
}

/** What was said since a participant spoke last. */
export const since = (said: readonly Contribution[], name: string): readonly Contribution[] =>
  said.slice(said.findLastIndex((one) => one.name === name) + 1);

export const transcriptText = (said: readonly Contribution[]): string =>
  said.map(({ name, round, text }) => `### ${name}, round ${round}\n${text}`).join('\n\n');
