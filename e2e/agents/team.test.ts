import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import type { TeamState } from '@features/team/contract/state';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type RealAgent, realAgents } from './stage/agents';
import { play } from './stage/play';
import { answer, asked, finished, openGate, told } from './stage/runs';
import { Stage } from './stage/stage';
import { until } from './stage/until';

const team = (config: string) => `
name: Team
steps:
  - id: team
    type: step.team
    config:
${config}`;

const ACTIVATION = 1;
const teamOf = (state: RunState): TeamState | undefined => state.teams[ACTIVATION];
const fileOf = (agent: RealAgent) => `${agent.id}.txt`;

/** The team, once all its members have delivered that many rounds. */
function delivered(stage: Stage, runId: number, rounds: number): Promise<TeamState> {
  return until(`round ${rounds} of all members`, async () => {
    const { state } = await stage.core.call('run.get', { runId });
    const now = teamOf(state);
    const members = Object.values(now?.members ?? {});
    const open = Object.values(state.gates).filter((gate) => gate.status === 'open');
    if (state.status === 'finished' || open.length > 0) throw new Error(`no round, but ${told(state)}`);
    const all = members.every((member) => member.rounds[rounds - 1]?.result != null);
    return members.length > 0 && all ? now : null;
  });
}

/** Merges each offered branch, one after the other, until the run ends. */
async function mergeAll(stage: Stage, runId: number, members: number): Promise<RunState> {
  for (let merged = 1; merged <= members; merged += 1) {
    await answer(stage, await openGate(stage, runId, 'merge'), { option: 'merge' });
    await until(`${merged} merges`, async () => {
      const { state } = await stage.core.call('run.get', { runId });
      const { merges = {}, members: all = {} } = teamOf(state) ?? {};
      const failed = Object.values(merges).find(({ status }) => status === 'failed');
      if (failed !== undefined) throw new Error(`not merged: ${JSON.stringify(failed)}`);
      return Object.values(all).filter((member) => member.merged !== null).length === merged;
    });
  }
  return finished(stage, runId);
}

/** All agents in one team led by the operator, with the reaction of each to a prompt to extend its file. */
async function setMembers(wireFile: string): Promise<Stage> {
  const [first, ...beside] = realAgents;
  if (first === undefined) throw new Error('there are no agents');
  const members = realAgents.map(
    (agent) =>
      `        - { name: ${agent.id}, agent: ${agent.id}, iterative: true, prompt: "Begin. FILE=${fileOf(agent)} TEXT=one" }\n`,
  );
  const workflow = team(`      members:\n${members.join('')}`);
  const stage = await Stage.set(first, { workflow, beside, wireFile });
  for (const agent of realAgents) {
    play(stage, {
      when: new RegExp(`Extend ${fileOf(agent)}`),
      deeds: [
        { run: `echo two >> ${fileOf(agent)}` },
        ['team_message', { to: next(agent).id, text: `Mine is ${fileOf(agent)}.` }],
      ],
      say: `<task-result>\n${agent.id} has extended it.\n</task-result>`,
    });
  }
  return stage;
}

async function askForMore(stage: Stage, runId: number): Promise<void> {
  for (const { id: member } of realAgents) {
    const text = `Extend ${member}.txt`;
    await stage.core.call('team.changes', { runId, activationId: ACTIVATION, member, text });
  }
}

/** Each of them is released, its last round done, its work merged. */
async function endMembers(stage: Stage, runId: number): Promise<void> {
  for (const { id: member } of realAgents)
    await stage.core.call('team.satisfied', { runId, activationId: ACTIVATION, member });
  const state = await mergeAll(stage, runId, realAgents.length);
  expect(state.outcome, told(state)).toBe('succeeded');
  for (const agent of realAgents) {
    expect(readFileSync(join(stage.project, fileOf(agent)), 'utf8')).toBe('one\ntwo\n');
    expect(asked(stage, `Extend ${fileOf(agent)}`).map(({ results }) => results)).toEqual([0, 1, 2]);
    // A note of another member wakes no one, and is read once, with the next prompt.
    expect(teamOf(state)?.members[agent.id]?.rounds).toHaveLength(3);
    const carriers = asked(stage, `Mine is ${fileOf(agent)}.`).map(({ prompts }) => prompts.at(-1));
    expect(new Set(carriers).size).toBe(1);
  }
  await stage.gone();
}

describe('opencode, Codex and Claude Code', () => {
  test('the agents are members of one team: two rounds each, satisfied, merged', async () => {
    const wireFile = join(folder(), 'wire.jsonl');
    const stage = await setMembers(wireFile);
    const runId = await stage.startRun();
    await delivered(stage, runId, 1);
    const given = endpointsIn(wireFile);
    expect(given).toHaveLength(realAgents.length);
    // The credentials of each session reach its own tools, and no other session's.
    for (const own of given) {
      const statuses = await Promise.all(given.map(({ headers }) => listTools({ url: own.url, headers })));
      expect(statuses).toEqual(given.map((one) => (one === own ? 200 : 401)));
    }
    await askForMore(stage, runId);
    const { members } = await delivered(stage, runId, 2);
    const texts = Object.values(members).map(({ rounds }) => rounds[1]?.result?.text);
    expect(texts).toEqual(realAgents.map(({ id }) => `${id} has extended it.`));
    await endMembers(stage, runId);
    expect(await Promise.all(given.map(listTools))).toEqual(given.map(() => 401));
  });

  test('the agents go on in their sessions and speak in the team after a kill -9 of the core between the rounds', async () => {
    const stage = await setMembers(join(folder(), 'wire.jsonl'));
    const runId = await stage.startRun();
    await delivered(stage, runId, 1);
    await stage.crash();
    await stage.restart();
    await askForMore(stage, runId);
    await delivered(stage, runId, 2);
    await endMembers(stage, runId);
  });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'muster-wire-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

function next(agent: RealAgent): RealAgent {
  const found = realAgents[(realAgents.indexOf(agent) + 1) % realAgents.length];
  if (found === undefined) throw new Error('there are no agents');
  return found;
}

const endpointSchema = z.object({
  type: z.literal('http'),
  name: z.literal('muster'),
  url: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
});
type Endpoint = z.infer<typeof endpointSchema>;

const openedSchema = z.object({
  message: z.object({
    method: z.literal('session/new'),
    params: z.object({ mcpServers: z.array(endpointSchema) }),
  }),
});

/** The tools endpoint that each session was given. */
function endpointsIn(wireFile: string): Endpoint[] {
  const lines = readFileSync(wireFile, 'utf8').trim().split('\n');
  return lines.flatMap((line) => {
    const opened = openedSchema.safeParse(JSON.parse(line));
    return opened.success ? opened.data.message.params.mcpServers : [];
  });
}

/** The HTTP status of the answer. */
async function listTools({ url, headers: given }: Pick<Endpoint, 'url' | 'headers'>): Promise<number> {
  const headers = Object.fromEntries(given.map(({ name, value }) => [name, value]));
  const accept = 'application/json, text/event-stream';
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const reply = await fetch(url, {
    method: 'POST',
    headers: { ...headers, accept, 'content-type': 'application/json' },
    body,
  });
  return reply.status;
}

/**
 * How each agent reports a call of `team_status`, and asks for it. Qwen Code's title is the input of the
 * call.
 */
const TITLES: Readonly<Record<RealAgent['id'], string>> = {
  opencode: '"title":"muster_team_status"',
  codex: '"title":"mcp.muster.team_status"',
  claude: '"title":"mcp__muster__team_status"',
  gemini: '"title":"team_status (muster MCP Server)"',
  qwen: '"toolName":"mcp__muster__team_status"',
};

describe.each(realAgents)('$id', (agent) => {
  test('the agent leads a team: it spawns a member, has it work two rounds, and may not end it', async () => {
    const member = next(agent);
    const workflow = team(`      instruction: "Have it built."\n      lead: { agent: ${agent.id} }\n`);
    const stage = await Stage.set(agent, { workflow, beside: [member] });
    const prompt = 'Begin. FILE=made.txt TEXT=one';
    play(stage, {
      when: /Have it built\./,
      deeds: [
        ['team_spawn', { name: 'builder', agent: member.id, prompt, iterative: true }],
        ['team_status', {}],
      ],
      say: 'I have spawned it.',
    });
    play(stage, {
      when: /^Result of builder \(round 1,/m,
      deeds: [
        ['team_results', { from: 'builder' }],
        ['team_message', { to: 'builder', text: 'Extend it. RUN=echo two >> made.txt' }],
      ],
      say: 'I have asked for more.',
    });
    play(stage, {
      when: /^Result of builder \(round 2,/m,
      deeds: [['team_shutdown', { member: 'builder' }]],
      say: 'I may not end it.',
    });
    const runId = await stage.startRun();
    await delivered(stage, runId, 2);
    const [, refused] = await until('the refusal', async () => {
      const requests = asked(stage, 'Result of builder (round 2,');
      return requests.some(({ results }) => results === 1) ? requests : null;
    });
    expect(JSON.stringify(refused?.body)).toContain(
      'team.not_released: builder is iterative and the operator has not released it',
    );
    const text = "I'm satisfied with builder.";
    const said = await stage.core.call('team.say', { runId, activationId: ACTIVATION, to: null, text });
    expect(said.asks).toEqual([]);
    const state = await mergeAll(stage, runId, 1);
    expect(state.outcome, told(state)).toBe('succeeded');
    expect(readFileSync(join(stage.project, 'made.txt'), 'utf8')).toBe('one\ntwo\n');
    const builder = teamOf(state)?.members.builder;
    expect(builder).toMatchObject({
      by: 'lead',
      profileId: member.id,
      merged: { commit: expect.any(String) },
    });
    expect(builder?.rounds.map(({ final }) => final)).toEqual([false, false, true]);
    const results = (words: string) => asked(stage, words).map((one) => one.results);
    expect(results('Have it built.')).toEqual([0, 1, 2]);
    expect(results('Result of builder (round 1,')).toEqual([0, 1, 2]);
    expect(results('Result of builder (round 2,')).toEqual([0, 1]);
    await stage.gone();
  });

  test('the agent needs no permission to speak in its team, though it asks for it', async () => {
    const wireFile = join(folder(), 'wire.jsonl');
    const workflow = team(`      instruction: "Look around."\n      lead: { agent: ${agent.id} }\n`);
    const stage = await Stage.set(agent, { workflow, asks: true, wireFile });
    const deeds = [
      ['team_status', {}],
      ['team_tasks_add', { tasks: [{ content: 'first' }] }],
    ] as const;
    play(stage, { when: /Look around\./, deeds, say: 'There is nobody.' });
    const runId = await stage.startRun();
    const state = await until('the end of its turn', async () => {
      const now = (await stage.core.call('run.get', { runId })).state;
      return now.turns[1]?.status === 'completed' || Object.keys(now.gates).length > 0 ? now : null;
    });
    // Its lead has no member left: the only question is whether the team ends.
    const others = Object.values(state.gates).filter(({ title }) => title !== 'The team is at rest');
    expect(others, told(state)).toEqual([]);
    expect(teamOf(state)?.tasks).toMatchObject({ 1: { content: 'first' } });
    const wire = readFileSync(wireFile, 'utf8');
    expect(wire.match(/"method":"session\/request_permission"/g)).toHaveLength(2);
    expect(wire).toContain(TITLES[agent.id]);
    await stage.core.call('run.cancel', { runId });
    await stage.gone();
  });

  test('the agent uses the tools of its team as a member that may do nothing else', async () => {
    const member = `{ name: reader, agent: ${agent.id}, read_only: true, iterative: true, prompt: "Look about." }`;
    const workflow = team(`      members:\n        - ${member}\n`);
    const stage = await Stage.set(agent, { workflow, asks: true });
    const deeds = [['team_tasks_add', { tasks: [{ content: 'read' }] }]] as const;
    play(stage, { when: /Look about\./, deeds, say: 'I have looked.' });
    const runId = await stage.startRun();
    await delivered(stage, runId, 1);
    const { state } = await stage.core.call('run.get', { runId });
    expect(state.gates, told(state)).toEqual({});
    expect(teamOf(state)?.tasks, told(state)).toMatchObject({ 1: { content: 'read', by: 'reader' } });
    await stage.core.call('run.cancel', { runId });
    await stage.gone();
  });
});
