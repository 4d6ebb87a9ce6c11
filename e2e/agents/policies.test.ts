/**
 * What each agent does under each permission policy: a file made and a file changed with its own tools, a command that
 * only reads, a command that writes, a
 * command outside of its sandbox where it has one, and a command that reaches the network. The table at the end of the
 * output is the result; README.md explains the cells that differ from one agent to another.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunState } from '@contract/run/state';
import { afterAll, describe, expect, test } from 'vitest';
import type { Ask, Reply } from '../fixtures/model-server/exchange';
import { editCalls, shellCall } from '../fixtures/model-server/tool-calls';
import { type RealAgent, realAgents } from './stage/agents';
import { told } from './stage/runs';
import { Stage } from './stage/stage';
import { until } from './stage/until';

const policies = {
  ask: { permissions: 'ask', read_only: false },
  allow_edits: { permissions: 'allow_edits', read_only: false },
  allow_all: { permissions: 'allow_all', read_only: false },
  deny: { permissions: 'deny', read_only: false },
  read_only: { permissions: 'allow_all', read_only: true },
} as const;
type Policy = keyof typeof policies;

const deeds = ['create', 'edit', 'look', 'command', 'escalated', 'network'] as const;
type Deed = (typeof deeds)[number];

/**
 * `gate`: done once the operator allowed it. `done`: without a question. `refused`: not done and not asked.
 */
type Cell = 'gate' | 'done' | 'refused';
type Row = Readonly<Record<Deed, Cell>>;

const all = (cell: Cell): Row => ({
  create: cell,
  edit: cell,
  look: cell,
  command: cell,
  escalated: cell,
  network: cell,
});
const commands = (cell: Cell) => ({ look: cell, command: cell, escalated: cell, network: cell });

const plain: Readonly<Record<Policy, Row>> = {
  ask: all('gate'),
  allow_edits: { ...all('done'), ...commands('gate') },
  allow_all: all('done'),
  deny: all('refused'),
  read_only: { ...all('refused'), ...commands('gate') },
};

/** The agent classifies some commands as read-only, and runs those without a question. */
const reading: typeof plain = {
  ask: { ...plain.ask, look: 'done' },
  allow_edits: { ...plain.allow_edits, look: 'done' },
  allow_all: { ...plain.allow_all, look: 'done' },
  deny: { ...plain.deny, look: 'done' },
  read_only: { ...plain.read_only, look: 'done' },
};

/**
 * Its sandbox runs a command without a question if the command can write only in its working folder, without
 * a network.
 */
const sandboxed: Readonly<Record<Policy, Row>> = {
  ask: { ...all('gate'), look: 'done', command: 'refused', network: 'refused' },
  allow_edits: { ...all('done'), escalated: 'gate', network: 'refused' },
  allow_all: { ...all('done'), network: 'refused' },
  deny: { ...all('refused'), look: 'done' },
  read_only: { ...all('refused'), look: 'done', escalated: 'gate' },
};

const expected: Readonly<Record<RealAgent['id'], Readonly<Record<Policy, Row>>>> = {
  opencode: plain,
  codex: sandboxed,
  claude: reading,
  gemini: reading,
  qwen: reading,
};

/** A file of the project, and a text that only its reader knows. */
const READ = '.muster/workflows/job.yaml';
const READ_TEXT = 'name: Policies';

const workflow = (profile: string) => `
name: Policies
steps:
  - id: work
    type: step.agent_task
    config:
      acp_profile_id: ${profile}
      instruction: "DEED create"
      re_prompts: ["DEED edit", "DEED look", "DEED command", "DEED escalated", "DEED network"]
`;

function calls(ask: Ask, deed: Deed, origin: string): (Reply['call'] | null)[] {
  switch (deed) {
    case 'create':
      return editCalls(ask, { file: 'made.txt', before: null, after: 'made' });
    case 'edit':
      return editCalls(ask, { file: 'README.md', before: '# A project', after: '# Changed' });
    case 'look':
      return [shellCall(ask.tools, `cat ${READ}`)];
    case 'command':
      return [shellCall(ask.tools, 'touch command.txt')];
    case 'escalated':
      return [escalated(shellCall(ask.tools, 'touch escalated.txt'))];
    case 'network':
      return [shellCall(ask.tools, `curl -sS --max-time 5 ${origin}/reached`)];
  }
}

/** Codex's own request to leave its sandbox; the others have none. */
function escalated(call: ReturnType<typeof shellCall>): ReturnType<typeof shellCall> {
  if (call === null || !('sandbox_permissions' in call.tool.schema.properties)) return call;
  const input = { ...call.input, sandbox_permissions: 'require_escalated', justification: 'to try it' };
  return { ...call, input };
}

function scriptDeeds({ models }: Stage): void {
  models.script({
    when: ({ prompt, tools }) => prompt.includes('DEED ') && tools.length > 0,
    answer(ask) {
      const deed = deeds.find((one) => ask.prompt.includes(`DEED ${one}`));
      const next = deed && calls(ask, deed, models.origin)[ask.results.length];
      return next ? { text: 'I will use a tool.', call: next } : { text: 'I used my tools.' };
    },
  });
}

/** Every request is allowed. */
async function finishedRun(stage: Stage): Promise<RunState> {
  const runId = await stage.startRun();
  return until(
    'the end of the run',
    async () => {
      const gates = (await stage.core.call('gate.list', {})).filter((gate) => gate.runId === runId);
      for (const { gateId, kind } of gates) {
        if (kind !== 'permission') throw new Error(`a gate of kind ${kind}`);
        await stage.core
          .call('gate.resolve', { runId, gateId, answer: { option: 'allow' } })
          .catch(() => null);
      }
      const { state } = await stage.core.call('run.get', { runId });
      return state.status === 'finished' ? state : null;
    },
    150_000,
  );
}

function isDone(stage: Stage, state: RunState, deed: Deed): boolean {
  const file = (name: string) => join(state.workspace?.path ?? '', name);
  switch (deed) {
    case 'create':
      return existsSync(file('made.txt'));
    case 'edit':
      return readFileSync(file('README.md'), 'utf8').includes('# Changed');
    case 'look':
      return stage.models.requests.some(({ body }) => JSON.stringify(body).includes(READ_TEXT));
    case 'command':
    case 'escalated':
      return existsSync(file(`${deed}.txt`));
    case 'network':
      return stage.models.requests.some(({ path }) => path === '/reached');
  }
}

function rowOf(stage: Stage, state: RunState): Row {
  const cell = (deed: Deed, index: number): string => {
    const asked = Object.values(state.gates).some((gate) => gate.turnId === index + 1);
    const done = isDone(stage, state, deed);
    if (asked) return done ? 'gate' : 'asked, not done';
    return done ? 'done' : 'refused';
  };
  return Object.fromEntries(deeds.map((deed, index) => [deed, cell(deed, index)])) as Row;
}

const table: string[][] = [['agent', 'policy', ...deeds]];
afterAll(() => {
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  console.log(table.map(line).join('\n'));
});

describe.each(realAgents)('$id', (agent) => {
  test.each(Object.keys(policies) as Policy[])('the agent keeps to the policy %s', async (policy) => {
    const stage = await Stage.set(agent, { workflow: workflow(agent.id), policy: policies[policy] });
    scriptDeeds(stage);
    const state = await finishedRun(stage);
    const row = rowOf(stage, state);
    table.push([agent.id, policy, ...deeds.map((deed) => row[deed])]);
    expect(row, told(state)).toEqual(expected[agent.id][policy]);
  });
});
