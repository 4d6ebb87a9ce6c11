import type { RunState } from '@contract/run/state';
import { sessionScenes } from './session-scenes';
import type { Scene } from './stage';
import { stepScenes } from './step-scenes';

const coding = (config: string) => `workspace: worktree
steps:
  - id: code
    type: step.coding
    config:
      instruction: Build it.
${config}`;

const writes = (path: string, text: string) => `{ write: { path: '${path}', content: "${text}\\n" } }`;
const builder = `turns:
  - { do: [${writes('made.txt', 'one')}], text: Built. }
default: { text: 'Answer {{turn}}.' }
`;

const failedAndResumed: Scene = {
  name: 'coding-failed-and-resumed',
  workflow: coding(
    '      agents: [{ role: builder, acp_profile_id: builder, re_prompts: [Check it., Say so.] }]\n',
  ),
  agents: {
    builder: `match:
  - { when: Check it, reply: { text: Not yet., error: { message: It broke., times: 1 } } }
turns:
  - { do: [${writes('made.txt', 'one')}], text: Built. }
default: { do: [${writes('made.txt', 'two')}], text: 'Answer {{turn}}.' }
`,
  },
  async play(stage) {
    await stage.until(({ outcome }) => outcome === 'failed');
    await stage.core.call('run.resume', { runId: stage.runId });
    await stage.until(({ outcome }) => outcome === 'succeeded');
  },
};

const unapproved: Scene = {
  name: 'review-without-approval',
  workflow: coding(`      coordination: review_chain
      max_rounds: 2
      agents:
        - { role: builder, acp_profile_id: builder, re_prompts: [Check it.] }
        - { role: reviewer, acp_profile_id: reviewer }
`),
  agents: {
    builder: `default: { do: [${writes('made-{{turn}}.txt', 'made')}], text: 'Built, {{turn}}.' }\n`,
    reviewer: `default: { text: '{"decision": "revise", "findings": [{"severity": "high", "text": "say more"}]}' }\n`,
  },
  async play(stage) {
    await stage.answer('review_escalation', { option: 'accept' });
    await stage.until(({ status }) => status === 'finished');
  },
};

const oneFails: Scene = {
  name: 'parallel-with-one-failing',
  workflow: coding(`      coordination: parallel
      agents:
        - { role: north, acp_profile_id: builder, re_prompts: [Check it.] }
        - { role: south, acp_profile_id: broken }
        - { role: west, acp_profile_id: builder }
`),
  agents: { builder, broken: 'default: { text: I cannot., error: { message: No such model. } }\n' },
  play: (stage) => stage.until(({ status }) => status === 'finished'),
};

const afterTheEnd: Scene = {
  name: 'prompt-after-the-end',
  workflow: coding('      agents: [{ role: builder, acp_profile_id: builder, re_prompts: [Check it.] }]\n'),
  agents: { builder },
  async play(stage) {
    await stage.until(({ status }) => status === 'finished');
    const prompt = (text: string) =>
      stage.core.call('session.prompt', { runId: stage.runId, sessionId: 1, text });
    await prompt('What did you make?');
    await prompt('And why?');
    await stage.until(({ status, turns }) => status === 'finished' && stage.ended(turns, 'operator') === 2);
  },
};

const file = (name: string) => `wait_for_file: ../${name}`;

/** Three members: one is spoken to while it works, one is interrupted; two merges, the second with a conflict. */
const team: Scene = {
  name: 'team-of-three',
  workflow: `workspace: worktree
steps:
  - id: crew
    type: step.team
    config:
      members:
        - { name: S1, agent: first, prompt: Write the beginning., iterative: true }
        - { name: S2, agent: second, prompt: Write the end., iterative: true }
        - { name: S3, agent: third, prompt: Count the words. }
`,
  agents: {
    first: `turns:
  - { do: [{ ${file('go-1')} }, ${writes('text.txt', 'by S1')}], text: '<task-result status="in_progress">Begun.</task-result>' }
default: { do: [${writes('text.txt', 'by S1, {{turn}}')}], text: '<task-result status="completed">Draft {{turn}}.</task-result>' }
`,
    second: `match:
  - { when: 'Write the end', reply: { do: [{ hang: {} }] } }
default: { do: [${writes('text.txt', 'by S2')}], text: '<task-result status="completed">The end, {{turn}}.</task-result>' }
`,
    third: `default: { text: '<task-result status="completed">Two words.</task-result>' }\n`,
  },
  async play(stage) {
    const { core, runId } = stage;
    const to = { runId, activationId: 1 };
    const rounds = (state: RunState, member: string) =>
      (state.teams[1]?.members[member]?.rounds ?? []).filter(({ result }) => result !== null).length;
    await stage.until(
      ({ turns, teams }) =>
        stage.inFlight(turns, 'member-S1') && stage.inFlight(turns, 'member-S2') && teams[1] !== undefined,
    );
    await core.call('team.say', { ...to, to: 'S1', text: 'Shorter, please.' });
    await core.call('team.say', { ...to, to: 'S1', text: 'And no adjectives.' });
    await core.call('team.say', { ...to, to: null, text: 'The deadline is today.' });
    stage.allow('go-1');
    await core.call('team.interrupt', { ...to, member: 'S2', text: 'Only one sentence.' });
    await stage.until(
      (state) => rounds(state, 'S1') === 2 && rounds(state, 'S2') === 1 && rounds(state, 'S3') === 1,
    );
    await core.call('team.changes', { ...to, member: 'S1', text: 'Once more.' });
    await stage.until((state) => rounds(state, 'S1') === 3);
    await core.call('team.say', { ...to, to: null, text: "I'm satisfied with S1." });
    await stage.merge('S1');
    await core.call('team.satisfied', { ...to, member: 'S2' });
    await stage.merge('S2', { 'text.txt': { take: 'theirs' } });
    await core.call('team.shutdown', { ...to, member: 'S3' });
    await stage.until(({ status }) => status === 'finished');
  },
};

/** Killed in the middle of a member's first round, of which nothing was heard, with two messages in its queue. */
const killed: Scene = {
  name: 'team-killed-in-mid-round',
  workflow: `workspace: worktree
steps:
  - id: crew
    type: step.team
    config:
      members: [{ name: S1, agent: first, prompt: Write the beginning., iterative: true }]
`,
  agents: {
    first: `turns:
  - { do: [{ ${file('go-1')} }, ${writes('text.txt', 'by S1')}], text: '<task-result status="in_progress">Begun.</task-result>' }
default: { do: [${writes('text.txt', 'by S1, {{turn}}')}], text: '<task-result status="completed">Draft {{turn}}.</task-result>' }
`,
  },
  async play(stage) {
    const to = { runId: stage.runId, activationId: 1 };
    await stage.until(({ turns }) => stage.inFlight(turns, 'member-S1'));
    await stage.core.call('team.say', { ...to, to: 'S1', text: 'Shorter, please.' });
    await stage.core.call('team.say', { ...to, to: 'S1', text: 'And no adjectives.' });
    await stage.killed();
    stage.allow('go-1');
    await stage.answer('interrupted_turn', { option: 'continue' });
    await stage.until(({ teams }) => teams[1]?.members.S1?.rounds[1]?.result != null);
    await stage.core.call('team.satisfied', { ...to, member: 'S1' });
    await stage.merge('S1');
    await stage.until(({ status }) => status === 'finished');
  },
};

/** One of three items fails and the step behind continues; then the run is resumed, and the item is done. */
const oneItemFails: Scene = {
  name: 'one-item-of-three-failed',
  workflow: `workspace: folder
steps:
  - id: each
    type: step.workflow
    title: Each part
    config:
      for_each: { items: [north, south, west], join: all_done, isolation: inherit }
      body:
        steps:
          - { id: do, type: step.agent_task, config: { instruction: Do $ITEM., acp_profile_id: worker } }
  - { id: tell, type: step.agent_task, config: { instruction: 'Tell of $each.output', acp_profile_id: worker } }
cables: [{ from: each.data_out, to: tell.data_in }]
`,
  agents: {
    worker: `match:
  - { when: Do south, reply: { text: I cannot., error: { message: It broke., times: 1 } } }
default: { text: 'Answer {{turn}}.' }
`,
  },
  async play(stage) {
    await stage.until(({ reason }) => reason === '1 of 3 in "Each part" failed');
    await stage.core.call('run.resume', { runId: stage.runId });
    await stage.until(({ outcome }) => outcome === 'succeeded');
  },
};

const plan = {
  branchName: 'ralph/work',
  userStories: [
    { id: 'US-001', title: 'Sign in', priority: 1, passes: false },
    { id: 'US-002', title: 'Sign out', priority: 2, passes: false },
  ],
};

const doesStory = `{ run: { command: 'sed -i "0,/\\"passes\\": false/s//\\"passes\\": true/" prd.json && git commit -qam "feat: a story"' } }`;

/** A backlog in the worktree of an item: a worker dies, its retry and the next story are done. */
const backlogInBody: Scene = {
  name: 'backlog-in-a-body',
  workflow: `workspace: worktree
steps:
  - id: each
    type: step.workflow
    config:
      for_each: { items: [shop] }
      body:
        steps:
          - { id: stories, type: step.ralph, config: { worker: { acp_profile_id: worker }, iterations: 4 } }
          - { id: tell, type: step.agent_task, config: { instruction: Tell of $ITEM., acp_profile_id: teller } }
        cables: [{ from: stories.data_out, to: tell.data_in }]
`,
  files: { 'prd.json': JSON.stringify(plan, null, 2) },
  agents: {
    worker: `match:
  - when: 'Your story: US-002'
    reply: { do: [{ crash: { times: 1 } }, ${doesStory}], text: "Did it.\\nResult: completed" }
default: { do: [${doesStory}], text: "Did it.\\nResult: completed" }
`,
    teller: 'default: { text: Both stories are done. }\n',
  },
  play: (stage) => stage.until(({ status }) => status === 'finished'),
};

const block = (code: string) => `\`\`\`repl\n${code}\n\`\`\``;

/** A question in an item: two blocks, a batch in the middle of which the core is killed, and an answer with a quote. */
const question: Scene = {
  name: 'question-killed-in-mid-batch',
  workflow: `workspace: folder
steps:
  - id: each
    type: step.workflow
    config:
      for_each: { items: [keys], isolation: inherit }
      body:
        steps:
          - id: ask
            type: step.rlm
            config:
              question: What do the $ITEM open?
              documents: [$ITEM.txt]
              acp_profile_id: root
              sub_model: { acp_profile_id: sub }
              allow_weak_sandbox: true
`,
  files: { 'keys.txt': 'The red key opens the cellar.\nThe blue key opens nothing.\n' },
  agents: {},
  models(models, stage) {
    const batch = 'answers = llm_query_batched([f"Part {i}." for i in range(3)])';
    const replies = [
      `${block('lines = context[0].splitlines()\nprint(len(lines))')}\n${block(batch)}`,
      block(`result = f'Doc 0 says "{lines[0]}" The models say {answers}.'`),
      'FINAL_VAR(result)',
    ];
    for (const text of replies) {
      const answer = { text, usage: { input: 90, output: 10 } };
      models.script({ when: ({ model }) => model === 'scripted', answer, times: 1 });
    }
    models.script({
      when: ({ model }) => model === 'scripted-small',
      answer: ({ prompt }) =>
        prompt === 'Part 2.' && stage.lives === 1
          ? { text: '', midway: 'hang' }
          : { text: `answer to ${prompt}` },
    });
  },
  async play(stage) {
    const answered = ({ rlm }: RunState) =>
      Object.values(rlm)
        .flatMap(({ blocks }) => blocks.flatMap(({ batches }) => batches.flatMap(({ calls }) => calls)))
        .filter(({ answer }) => answer !== null).length;
    await stage.until((state) => answered(state) === 2);
    await stage.killed();
    await stage.until(({ status }) => status === 'finished');
  },
};

export const scenes: readonly Scene[] = [
  ...[failedAndResumed, unapproved, oneFails, afterTheEnd, team, killed],
  ...[oneItemFails, backlogInBody, question],
  ...stepScenes,
  ...sessionScenes,
];
