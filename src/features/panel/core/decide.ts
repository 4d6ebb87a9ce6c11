import type { PromptValues } from '@areas/prompts/contract/schema';
import { promptSchema } from '@areas/prompts/contract/sets';
import { renderPrompt } from '@areas/prompts/core/render';
import { agentRef } from '@main/core/step/agent/agent';
import { checkedAnswer } from '@main/core/step/agent/checked-answer';
import { ended, ownTurn, quoted, textsOn } from '@main/core/step/agent/single-call';
import type { StepDecision } from '@main/core/step/decision';
import type { PanelConfig, View } from './config';
import {
  type Contribution,
  contributionsOf,
  MODERATOR,
  nextSpeaker,
  since,
  transcriptText,
} from './transcript';

/** The participants speak in turn, round by round; then the moderator concludes. */
export function decidePanel(view: View): StepDecision {
  const contributions = contributionsOf(view);
  const next = nextSpeaker(view.config, contributions);
  if (next !== null) return speak(view, contributions, next);
  const { moderator } = view.config;
  return moderator === undefined
    ? finish(view, contributions, { content: transcriptText(contributions), kind: 'markdown' })
    : conclude(view, contributions, moderator);
}

type Next = NonNullable<ReturnType<typeof nextSpeaker>>;

function speak(
  view: View,
  contributions: readonly Contribution[],
  { participant, round }: Next,
): StepDecision {
  const { rounds } = view.config;
  const heard = since(contributions, participant.name);
  const transcript = heard.length === 0 ? '' : quoted(transcriptText(heard));
  return ownTurn({
    agent: agentRef(participant),
    lane: participant.name,
    label: `${participant.name}, round ${round}`,
    turn: round === 1 ? 'primary' : 'feedback',
    ordinal: round - 1,
    of: rounds,
    prompt:
      round === 1
        ? opening(view, participant, transcript)
        : text(view, 'panel/round', { round: String(round), rounds: String(rounds), transcript }),
  });
}

function opening(view: View, { name, role = '' }: Next['participant'], transcript: string): string {
  const { participants, topic } = view.config;
  const others = participants.flatMap((one) => (one.name === name ? [] : [one.name])).join(', ');
  const came = [textsOn(view, 'data_in'), textsOn(view, 'context_in')]
    .filter((one) => one !== '')
    .join('\n\n');
  return text(view, 'panel/opening', {
    topic,
    name,
    others,
    role,
    input: came === '' ? '' : `## Input\n${quoted(came)}`,
    transcript: transcript === '' ? '' : `## What was said before you\n${transcript}`,
  });
}

type TextId = 'panel/opening' | 'panel/round' | 'panel/moderator';

/** Removes the blank lines left by empty values. */
const text = <Id extends TextId>(
  view: View,
  id: Id,
  values: PromptValues<ReturnType<typeof promptSchema<Id>>>,
): string =>
  renderPrompt(promptSchema(id), view.promptText(id) ?? '', values)
    .replace(/\n{3,}/g, '\n\n')
    .trim();

function conclude(
  view: View,
  contributions: readonly Contribution[],
  moderator: NonNullable<PanelConfig['moderator']>,
): StepDecision {
  const { format, config } = view;
  const { turns } = view.lane(MODERATOR);
  const agent = agentRef(moderator);
  const at = { agent, lane: MODERATOR, label: 'moderator' };
  if (turns.length === 0) {
    const transcript = quoted(transcriptText(contributions));
    const prompt = text(view, 'panel/moderator', {
      topic: config.topic,
      instruction: moderator.instruction ?? '',
      transcript,
    });
    return ownTurn({
      ...at,
      ordinal: 0,
      of: 1,
      prompt: format === null ? prompt : `${prompt}\n\n${format.instruction}`,
    });
  }
  const response = turns.at(-1)?.response ?? '';
  if (format === null) return finish(view, contributions, { content: response, kind: 'markdown' });
  const answer = checkedAnswer(turns, format);
  if (answer.kind === 'repair')
    return ownTurn({ ...at, turn: 'reminder', ordinal: 1, of: 2, prompt: answer.prompt });
  if (answer.kind === 'valid') return finish(view, contributions, { content: answer.json, kind: 'json' });
  return finish(view, contributions, {
    content: response,
    kind: 'markdown',
    ...(answer.kind === 'invalid' ? { error: answer.error } : {}),
  });
}

const finish = (
  view: View,
  contributions: readonly Contribution[],
  made: Parameters<typeof ended>[1],
): StepDecision =>
  ended(view, {
    ...made,
    receipt: { contributions: contributions.length, rounds: view.config.rounds },
    more: { transcript_out: transcriptText(contributions) },
  });
