import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownValue } from '@contract/own';
import { ok } from '@contract/result';
import type { SentTurn } from '@main/core/engine/testing/fake-agents';
import { fakeProfile, Harness } from '@main/core/engine/testing/harness';
import type { TeamState } from '../../contract/state';
import { memberStatus } from '../../contract/status';
import { teamConfigSchema } from '../config';
import { type Caller, satisfied, type ToolResult, toolOf } from '../tools';

const folder = join(import.meta.dirname, '../../../../../resources/prompts/team');

/** Muster's own texts. */
export const prompts = Object.fromEntries(
  readdirSync(folder).map((file) => [
    `team/${file.replace(/\.md$/, '')}`,
    readFileSync(join(folder, file), 'utf8'),
  ]),
);

export const profiles = {
  fake: fakeProfile,
  leader: { ...fakeProfile, id: 'leader', name: 'Leader' },
};

export const member = (name: string, more: Record<string, unknown> = {}) => ({
  name,
  agent: 'fake',
  prompt: `work of ${name}`,
  worktree: false,
  ...more,
});

/** A run with one team, and methods to speak in it. */
export class TeamHarness extends Harness {
  config: Record<string, unknown> = {};
  /** The team's activation. */
  activationId = 1;

  async open(config: Record<string, unknown>): Promise<void> {
    this.config = config;
    await this.run({ steps: [{ id: 'team', type: 'step.team', config }] }, { profiles, prompts });
  }

  get team(): TeamState {
    const team = this.state().teams[this.activationId];
    if (team === undefined) throw new Error('no team');
    return team;
  }

  /** Calls a tool as an agent or as the operator, on the run in memory. */
  async call(caller: Caller | 'operator' | 'lead', name: string, input: unknown): Promise<ToolResult> {
    let result: ToolResult | null = null;
    await this.engine.command(1, ({ state }) => {
      const team = state.teams[this.activationId];
      if (team === undefined) throw new Error('no team');
      const who: Caller =
        caller === 'operator'
          ? { role: 'operator', name: 'operator', turnId: null }
          : caller === 'lead'
            ? { role: 'lead', name: 'lead', turnId: null }
            : caller;
      const context = {
        state,
        team,
        config: teamConfigSchema.parse(this.config),
        caller: who,
        now: this.clock.time,
      };
      result =
        name === 'satisfied'
          ? satisfied(context, { how: 'satisfied', words: null, ...(input as { member: string }) })
          : (toolOf(name)?.call(context, input) ?? null);
      return ok(result?.ok ? result.value.events : []);
    });
    await this.idle();
    if (result === null) throw new Error(`no tool ${name}`);
    return result;
  }

  say(to: string, text: string): Promise<ToolResult> {
    return this.call('operator', 'team_message', { to, text });
  }

  word(name: string): string {
    const { team } = this;
    const found = ownValue(team.members, name);
    return found === undefined ? 'unknown' : memberStatus(this.state(), team, found).word;
  }

  /** Turns waiting for an answer, by member or `lead`. */
  waiting(name: string): SentTurn | undefined {
    const state = this.engine.live(1)?.state;
    return this.agents.sent.find((turn) => {
      const known = state?.turns[turn.request.turnId];
      return known?.status === 'in_flight' && (known.lane === `member-${name}` || known.lane === name);
    });
  }

  async deliver(name: string, response: string): Promise<void> {
    const turn = this.waiting(name);
    if (turn === undefined) throw new Error(`${name} has no turn`);
    turn.end({ response });
    await this.idle();
  }
}

export async function openTeam(config: Record<string, unknown>): Promise<TeamHarness> {
  const harness = new TeamHarness();
  harness.agents.answer = () => null;
  await harness.open(config);
  return harness;
}

export const errorOf = (result: ToolResult): string | null => (result.ok ? null : result.error.code);
