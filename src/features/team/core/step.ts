import type { PortSpec } from '@areas/workflows/contract/definition';
import { agentRef } from '@main/core/step/agent/agent';
import type { AgentRef } from '@main/core/step/decision';
import { defineStep, type GraphContext, type ModuleProblem } from '@main/core/step/module';
import { problemAt } from '@main/core/step/problem-at';
import { leadIsAgent, type TeamConfig, teamConfigSchema } from './config';
import { decideTeam } from './decide';
import { teamTexts } from './messages/prompts';
import { observeTeam } from './watch/observe';

const inputs: readonly PortSpec[] = [
  { name: 'data_in', label: 'Data', kind: 'bundle' },
  { name: 'context_in', label: 'Context', kind: 'bundle' },
  { name: 'instruction_in', label: 'Instruction', kind: 'bundle' },
  { name: 'signal_in', label: 'Signal', kind: 'signal' },
];
const outputs: readonly PortSpec[] = [
  { name: 'data_out', label: 'Results', kind: 'bundle', description: 'The final result of each member' },
  { name: 'signal_out', label: 'Done', kind: 'signal', description: 'Sent when all are stopped or merged' },
  { name: 'receipt_out', label: 'Receipt', kind: 'receipt' },
];

function agents(config: TeamConfig): AgentRef[] {
  const members = config.members.map((member, index) => ({
    ...agentRef({ acp_profile_id: member.agent, agent_config: null }),
    model: member.model,
    readOnly: member.read_only,
    path: `members[${index}].agent`,
  }));
  if (!leadIsAgent(config)) return members;
  const { agent, agent_config } = config.lead;
  return [{ ...agentRef({ acp_profile_id: agent, agent_config }), path: 'lead.agent' }, ...members];
}

function validate(config: TeamConfig, graph: GraphContext): ModuleProblem[] {
  const problems: ModuleProblem[] = [];
  const names = config.members.map((member) => member.name.toLowerCase());
  for (const [index, member] of config.members.entries()) {
    if (names.indexOf(member.name.toLowerCase()) === index) continue;
    problems.push(problemAt(`members[${index}].name`, `two members have the name "${member.name}"`));
  }
  if (config.members.length === 0 && !leadIsAgent(config)) {
    const message = 'the team has no members, and no lead to add them';
    problems.push(problemAt('members', message, 'list members, or name an agent as the lead'));
  }
  const writing = config.members.filter((member) => member.worktree && !member.read_only);
  if (graph.workspace === 'project' && writing.length > 1) {
    const message = 'several members would write in the project itself at the same time';
    const mend = 'set workspace: worktree in the workflow, or read_only on the members that do not write';
    problems.push(problemAt('members', message, mend));
  }
  return problems;
}

export const team = defineStep<TeamConfig>({
  type: 'step.team',
  version: 1,
  title: 'Team',
  description: 'A lead and its members: one-shot, or iterating until you are satisfied.',
  config: teamConfigSchema,
  templates: [
    { path: 'instruction', kind: 'text' },
    { path: 'members[].prompt', kind: 'text' },
  ],
  worksOutside: true,
  onInterrupt: 'ask',
  laneFailure: 'lane',
  ports: () => ({ inputs, outputs }),
  agents,
  sessions: () => ({ persist: false, continues: false, gives: false }),
  prompts: () => teamTexts,
  spawns: () => true,
  validate,
  decide: decideTeam,
  observe: observeTeam,
});
