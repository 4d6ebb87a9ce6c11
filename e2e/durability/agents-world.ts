/** Work of agents that change files: coding alone, in a review chain and side by side, and teams. */

const coding = (name: string, config: string) => `name: ${name}
steps:
  - id: code
    type: step.coding
    config:
      instruction: Build it.
${config}`;

const team = (name: string, config: string) => `name: ${name}
steps:
  - id: crew
    type: step.team
    config:
${config}`;

const member = (name: string, iterative: boolean) =>
  `        - { name: ${name}, agent: member, prompt: 'First task of ${name}.', iterative: ${iterative} }\n`;

export const agentWorkflows: Readonly<Record<string, string>> = {
  coding: coding(
    'coding',
    `      agents:
        - { role: builder, acp_profile_id: builder, re_prompts: [Check it., Once more.] }
`,
  ),
  review: coding(
    'review',
    `      coordination: review_chain
      agents:
        - { role: builder, acp_profile_id: builder, re_prompts: [Check it.] }
        - { role: reviewer, acp_profile_id: reviewer }
`,
  ),
  parallel: coding(
    'parallel',
    `      coordination: parallel
      agents:
        - { role: north, acp_profile_id: builder, re_prompts: [Check it.] }
        - { role: south, acp_profile_id: builder }
        - { role: west, acp_profile_id: builder, re_prompts: [Check it.] }
`,
  ),
  team: team(
    'team',
    `      members:
${member('S1', true)}${member('S2', true)}${member('S3', false)}`,
  ),
  led: team(
    'led',
    '      instruction: Lead them.\n      lead: { agent: lead }\n      messages_per_minute: 600\n',
  ),
};

export const agentProfiles = ['builder', 'reviewer', 'member', 'lead'];

/** Each turn leaves a line of its own in a file of its session. */
const change =
  'run: { command: \'echo "{{session}} {{turn}}" >> {{session}}.txt; echo "{{session}} {{turn}}" > shared.txt\' }';
const wait = 'wait_ms: 100';

export const agentScripts: Readonly<Record<string, string>> = {
  builder: `default:
  do: [{ ${wait} }, { ${change} }, { ${wait} }]
  text: 'Built by {{session}}, {{turn}}.'
`,
  reviewer: `turns:
  - do: [{ ${wait} }]
    text: '{"decision": "revise", "findings": [{"severity": "high", "text": "say more"}]}'
default:
  do: [{ ${wait} }]
  text: '{"decision": "approve", "findings": []}'
`,
  member: `default:
  do: [{ ${wait} }, { ${change} }, { ${wait} }]
  text: '<task-result status="completed">Made by {{session}}, {{turn}}.</task-result>'
`,
  lead: `match:
  - when: 'Lead them\\.'
    reply:
      do:
        - tool: { name: team_spawn, input: { name: S1, agent: member, prompt: First task of S1., iterative: true } }
        - tool: { name: team_spawn, input: { name: S2, agent: member, prompt: First task of S2. } }
        - tool: { name: team_message, input: { to: S1, text: 'Do not forget the words of {{session}} {{turn}}.' } }
      text: Both are at work.
  - when: 'Result of (\\w+) \\(round 1,'
    reply:
      do:
        - { ${wait} }
        - tool: { name: team_message, input: { to: '{{1}}', text: 'Another round for {{session}} {{turn}}.' } }
      text: 'I asked {{1}} for more.'
default:
  do: [{ ${wait} }]
  text: 'I have read it, {{turn}}.'
`,
};

/** What is in the operator's checkout when it begins; `shared.txt` is what the members' branches conflict in. */
export const checkoutFiles: Readonly<Record<string, string>> = {
  'shared.txt': 'as it was\n',
  'operators-own.txt': 'committed\n',
};
