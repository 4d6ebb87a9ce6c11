/** Runs of the steps that are no team and no backlog: conditions, skips, approvals, loops, scopes. */
import type { RunState } from '@contract/run/state';
import type { Scene } from './stage';

const task = (id: string, more = '', config = '') =>
  `  - { id: ${id}, type: step.agent_task${more}, config: { instruction: do ${id}, acp_profile_id: agent${config} } }`;
const approval = (id: string) =>
  `  - { id: ${id}, type: step.approval, config: { message: 'approve ${id}?' } }`;
const cable = (from: string, to: string) => `  - { from: ${from}, to: ${to} }`;
const workflow = (steps: readonly string[], cables: readonly string[]) =>
  `workspace: worktree\nsteps:\n${steps.join('\n')}\ncables:\n${cables.join('\n')}\n`;
const used = 'usage: { input_tokens: 20, output_tokens: 5 }';
const ended = ({ status }: RunState) => status === 'finished';

const conditions: Scene = {
  name: 'conditions-and-retries',
  workflow: workflow(
    [
      task('score', ', retry: { max_attempts: 3, delay_seconds: 0.1, on: transient }'),
      task('low', ", when: '$score.output.n < 5'"),
      task('high', ", when: '$score.output.n >= 5'"),
      task('broken', ", when: '$score.output.word < 5'"),
      task(
        'end',
        `, trigger_rule: one_success, when: "$high.status == 'skipped' && $low.status == 'succeeded'"`,
      ),
    ],
    [
      ...['low', 'high', 'broken'].map((id) => cable('score.data_out', `${id}.data_in`)),
      cable('low.data_out', 'end.data_in'),
      cable('high.data_out', 'end.context_in'),
    ],
  ),
  agents: {
    agent: `match:
  - when: '^do score'
    reply: { do: [{ crash: { times: 2 } }], text: '{"n": 3, "word": "x"}', ${used} }
default: { text: ok, ${used} }
`,
  },
  play: (stage) => stage.until(ended),
};

/** Skips that are withdrawn by a revision, and by a resume. */
const skips: Scene = {
  name: 'skips-and-trigger-rules',
  workflow: workflow(
    [
      task('draft', ', title: Draft'),
      task('check', ', title: Check'),
      approval('look'),
      task('join', ', title: Join'),
      task('one', ', trigger_rule: one_success'),
      task('none', ', trigger_rule: none_failed_min_one_success'),
      task('report', ', trigger_rule: all_done'),
    ],
    [
      cable('draft.data_out', 'check.data_in'),
      cable('draft.data_out', 'look.data_in'),
      cable('look.revise_out', 'draft.instruction_in'),
      ...['join', 'one', 'none'].flatMap((id) => [
        cable('check.data_out', `${id}.data_in`),
        cable('look.approved_out', `${id}.context_in`),
      ]),
      cable('join.signal_out', 'report.signal_in'),
      cable('one.signal_out', 'report.signal_in'),
    ],
  ),
  agents: {
    agent: `match:
  - { when: '^do check', reply: { text: ok, error: { message: It broke., times: 2 } } }
default: ok
`,
  },
  async play(stage) {
    const failed = (attempt: number) => (state: RunState) =>
      Object.values(state.activations).filter((one) => one.stepId === 'check' && one.outcome === 'failed')
        .length === attempt;
    await stage.until(failed(1));
    await stage.answer('approval', { option: 'reject', reason: 'again' });
    await stage.until(failed(2));
    await stage.answer('approval', { option: 'approve' });
    await stage.until(({ outcome }) => outcome === 'failed');
    await stage.core.call('run.resume', { runId: stage.runId });
    await stage.until(({ outcome }) => outcome === 'succeeded');
  },
};

/** A reminder, a rejection that an agent mends, and a question that expires. */
const approvals: Scene = {
  name: 'approvals',
  workflow: `workspace: worktree
steps:
${task('a')}
  - id: ok
    type: step.approval
    config:
      message: Is $a.output good?
      on_reject: { prompt: 'Mend it: $REJECTION_REASON', acp_profile_id: agent }
      reminder_minutes: 0.03
  - id: route
    type: step.approval
    config:
      message: Which way?
      decisions: [{ id: ship, label: Ship }, { id: wait, label: Wait }]
      expires: { minutes: 0.03, outcome: wait }
${task('b', `, when: "$route.output.decision == 'wait'"`)}
cables:
${cable('a.data_out', 'ok.data_in')}
${cable('ok.approved_out', 'route.data_in')}
${cable('route.approved_out', 'b.data_in')}
`,
  agents: { agent: "default: 'Answer {{turn}}.'\n" },
  async play(stage) {
    await stage.answer('approval', { option: 'reject', reason: 'too long' });
    const asked = ({ gates }: RunState) => Object.values(gates).filter(({ kind }) => kind === 'approval');
    await stage.until((state) => asked(state).some(({ id, status }) => id > 1 && status === 'open'));
    await stage.until(({ timers }) => Object.values(timers).every(({ fired }) => fired));
    await stage.answer('approval', { option: 'approve' });
    await stage.until(ended);
  },
};

const scores = (first: number, second: number) =>
  `'{"candidate_1":{"scores":{"clear":${first}},"reason":"r"},"candidate_2":{"scores":{"clear":${second}},"reason":"r"}}'`;

/** One of the judge's two orders is answered in prose at first. */
const judged: Scene = {
  name: 'judge-panel-claims',
  workflow: `workspace: worktree
steps:
${task('a')}
${task('b')}
  - id: judge
    type: step.judge
    config: { criteria: [{ id: clear, description: 'Is it clear?' }], acp_profile_id: agent }
  - { id: claims, type: step.claim_extractor, config: { acp_profile_id: agent } }
  - id: panel
    type: step.panel
    when: $judge.output.winner == 'a'
    config:
      topic: $claims.output.count claims
      participants: [{ name: Ana, acp_profile_id: agent }, { name: Ben, acp_profile_id: agent }]
      rounds: 2
      moderator: { acp_profile_id: agent }
  - { id: short, type: step.transform, config: { instruction: Shorten., acp_profile_id: agent } }
cables:
${cable('a.data_out', 'judge.target_in')}
${cable('b.data_out', 'judge.comparison_in')}
${cable('a.data_out', 'claims.data_in')}
${cable('judge.signal_out', 'panel.signal_in')}
${cable('claims.data_out', 'panel.data_in')}
${cable('panel.data_out', 'short.data_in')}
`,
  agents: {
    agent: `match:
  - { when: '^do a', reply: text of a }
  - { when: '^do b', reply: text of b }
  - when: '^Find the claims'
    reply: '{"claims":[{"claim":"c","quote":"text of a"},{"claim":"d","quote":"nowhere"}]}'
  - { when: '^Judge the candidates[\\s\\S]*text of b[\\s\\S]*text of a', reply: prose }
  - { when: '^Judge the candidates', reply: ${scores(8, 3)} }
  - { when: '^Your last answer cannot be used', reply: ${scores(3, 8)} }
default: said
`,
  },
  play: (stage) => stage.until(ended),
};

const scored =
  ', output_format: { type: object, properties: { score: { type: integer } }, required: [score] }';

const formats: Scene = {
  name: 'output-formats',
  workflow: workflow(
    [
      task('score', scored, ', re_prompts: [again]'),
      `  - { id: next, type: step.agent_task, when: '$score.output.score > 3', config: { instruction: 'Score: $score.output.score', acp_profile_id: agent } }`,
      task('bad', scored),
    ],
    [cable('score.data_out', 'next.data_in'), cable('next.signal_out', 'bad.signal_in')],
  ),
  agents: {
    agent: `match:
  - { when: '^do score', reply: rough }
  - { when: '^again', reply: '{"score": "high"}' }
  - { when: '^Your last answer', turn: 3, reply: '{"score": 7}' }
  - { when: '^Your last answer', reply: prose again }
default: prose
`,
  },
  play: (stage) => stage.until(ended),
};

/** Three items of a called workflow, of which one is refused; the core is killed before the questions are answered. */
const called: Scene = {
  name: 'called-workflows',
  workflow: `workspace: worktree
steps:
  - { id: plan, type: step.agent_task, config: { instruction: list, acp_profile_id: agent } }
  - id: each
    type: step.workflow
    config:
      file: .muster/workflows/child.yaml
      for_each: { items: $plan.output, as: file, max_parallel: 2, join: all_done, isolation: inherit }
  - id: once
    type: step.workflow
    config:
      inputs: { what: $plan.output }
      body: { steps: [{ id: stop, type: step.cancel, config: { reason: done with $INPUTS.what } }] }
cables:
${cable('plan.data_out', 'each.data_in')}
${cable('each.data_out', 'once.data_in')}
`,
  files: {
    '.muster/workflows/child.yaml': `name: child
inputs: { file: { type: string }, how: { type: string, default: well } }
steps:
  - { id: make, type: step.agent_task, config: { instruction: make $INPUTS.file $INPUTS.how, acp_profile_id: agent } }
${approval('ok')}
${task('skipped', `, when: "$make.output == 'no'"`)}
cables:
${cable('make.data_out', 'ok.data_in')}
${cable('make.data_out', 'skipped.data_in')}
`,
  },
  agents: {
    agent: `match:
  - { when: '^list', reply: '["a","b","c"]' }
  - { when: '^make b', reply: { stop: refusal } }
default: made
`,
  },
  async play(stage) {
    await stage.until(
      ({ gates }) => Object.values(gates).filter(({ status }) => status === 'open').length === 2,
    );
    await stage.killed();
    await stage.answer('approval', { option: 'approve' });
    await stage.answer('approval', { option: 'approve' });
    await stage.until(ended);
  },
};

/** An interactive loop, loops in a loop, and a turn that is cut off with the core and ends by the step's time limit. */
const loops: Scene = {
  name: 'loops',
  instruction: 'looked',
  workflow: `workspace: worktree
steps:
  - id: talk
    type: step.loop
    config:
      max_iterations: 3
      prompt: 'Said: $LOOP_USER_INPUT. Before: $LOOP_PREV_OUTPUT'
      until: DONE
      interactive: true
      session: shared
      acp_profile_id: agent
  - id: review
    type: step.loop
    config:
      max_iterations: 3
      until_command: 'test -e ../$ARGUMENTS || { touch ../$ARGUMENTS; exit 1; }'
      body:
        steps:
          - { id: fix, type: step.agent_task, config: { instruction: 'fix, before: $LOOP_PREV.fix.output', acp_profile_id: agent } }
          - { id: deep, type: step.loop, config: { max_iterations: 3, prompt: dig, until: DONE, acp_profile_id: agent } }
          - { id: ok, type: step.approval, config: { message: 'take $fix.output?' } }
        cables:
          - { from: fix.data_out, to: deep.data_in }
          - { from: deep.data_out, to: ok.data_in }
${task('slow', ', on_interrupt: retry, timeout_minutes: 0.4')}
${task('end', ', trigger_rule: all_done')}
cables:
${cable('talk.data_out', 'end.data_in')}
${cable('review.data_out', 'end.context_in')}
${cable('slow.signal_out', 'end.signal_in')}
`,
  agents: {
    agent: `match:
  - { when: '^do slow', reply: { do: [{ say: partly }, { hang: {} }] } }
  - { when: '^dig', reply: { text: 'deep <x>DONE</x>', ${used} } }
  - { when: '^Said: once more', reply: { text: "answer\\nDONE", ${used} } }
default: { text: 'answer {{turn}}', ${used} }
`,
  },
  async play(stage) {
    await stage.answer('approval', { option: 'answer', text: 'go deeper' }, 'talk');
    await stage.until(
      ({ gates }) => Object.values(gates).filter(({ status }) => status === 'open').length === 2,
    );
    await stage.killed();
    await stage.until(({ turns }) => Object.values(turns).some(({ status }) => status === 'interrupted'));
    await stage.answer('approval', { option: 'approve' }, 'review[1]/ok');
    await stage.answer('approval', { option: 'answer', text: 'once more' }, 'talk');
    await stage.answer('approval', { option: 'approve' }, 'review[2]/ok');
    await stage.answer('approval', { option: 'finish' }, 'talk');
    await stage.until(ended);
  },
};

const experiments: Scene = {
  name: 'experiments',
  workflow: `workspace: worktree
max_parallel: 2
steps:
${task('plan')}
  - id: compare
    type: step.experiment
    config:
      target: { id: draft, type: step.agent_task, config: { instruction: do draft, acp_profile_id: agent, re_prompts: [shorter] } }
      variants:
        - { name: as it is }
        - { name: refused, instruction_override: say nothing of $plan.output }
        - { name: one turn, config_overrides: { re_prompts: [] } }
${approval('ok')}
cables:
${cable('plan.data_out', 'compare.data_in')}
${cable('compare.data_out', 'ok.data_in')}
`,
  agents: {
    agent: `match:
  - { when: '^say nothing', reply: { stop: refusal } }
  - { when: '^do draft', reply: { text: a draft, ${used} } }
default: { text: said, ${used} }
`,
  },
  async play(stage) {
    await stage.until(({ gates }) => Object.values(gates).some(({ status }) => status === 'open'));
    await stage.killed();
    await stage.answer('approval', { option: 'approve' });
    await stage.until(ended);
  },
};

export const stepScenes: readonly Scene[] = [
  ...[conditions, skips, approvals, judged, formats],
  ...[called, loops, experiments],
];
