import type { SentTurn } from '@main/core/engine/testing/fake-agents';
import { fakeProfile, type Harness } from '@main/core/engine/testing/harness';

export const profiles = {
  fake: fakeProfile,
  anna: { ...fakeProfile, id: 'anna', name: 'Anna' },
  bert: { ...fakeProfile, id: 'bert', name: 'Bert' },
};

interface Agent {
  readonly role: string;
  readonly acp_profile_id: string;
  readonly [more: string]: unknown;
}
export const anna = (more: Record<string, unknown> = {}): Agent => ({
  role: 'builder',
  acp_profile_id: 'anna',
  ...more,
});
export const bert = (more: Record<string, unknown> = {}): Agent => ({
  role: 'reviewer',
  acp_profile_id: 'bert',
  ...more,
});

export const step = (agents: readonly Agent[], more: Record<string, unknown> = {}) => ({
  id: 'code',
  type: 'step.coding',
  config: { instruction: 'Build it.', agents, ...more },
});

export const run = (harness: Harness, agents: readonly Agent[], more: Record<string, unknown> = {}) =>
  harness.run({ steps: [step(agents, more)] }, { profiles });

export const who = (turn: SentTurn) => turn.spec.profile.id;
export const prompts = (harness: Harness) =>
  harness.agents.sent.map((turn) => `${who(turn)}: ${turn.request.prompt.split('\n')[0] ?? ''}`);
export const output = (harness: Harness, port: string) =>
  harness.state().activations[1]?.outputs[port]?.content as Record<string, unknown> | undefined;
export const approve = '{"decision": "approve", "findings": []}';
export const revise =
  '{"decision": "revise", "findings": [{"severity": "high", "text": "handle the empty list"}]}';

/** Answers by agent, in order; the last one repeats. */
export function answers(harness: Harness, by: Record<string, string[]>): void {
  harness.agents.answer = (turn) => {
    const mine = by[who(turn)] ?? ['ok'];
    return { response: (mine.length > 1 ? mine.shift() : mine[0]) ?? '' };
  };
}
