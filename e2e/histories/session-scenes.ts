/** Runs in which agents ask, are cut off, revise, outlive the core, or continue what another run began. */
import type { Scene } from './stage';

const held = `workspace: worktree
steps:
  - id: work
    type: step.agent_task
    on_interrupt: ask
    config: { acp_profile_id: worker, instruction: Begin., re_prompts: [Go on.] }
`;
const asks = "{ write: { path: x.txt, content: 'x', ask: true, if_rejected: Done. } }";
const open = 'permission';

const cancelled: Scene = {
  name: 'cancelled-at-a-permission',
  workflow: held,
  asking: ['worker'],
  agents: { worker: `turns: [Begun., { do: [{ say: 'Half. ' }, ${asks}], text: Done. }]\n` },
  async play(stage) {
    await stage.until(({ gates }) => Object.values(gates).some(({ kind }) => kind === open));
    await stage.core.call('run.cancel', { runId: stage.runId });
    await stage.until(({ status }) => status === 'finished');
  },
};

const killed: Scene = {
  name: 'killed-in-mid-turn',
  workflow: held,
  asking: ['worker'],
  agents: {
    worker: `match:
  - { when: Go on, reply: { do: [{ say: 'Half. ' }, { wait_for_file: ../go }, ${asks}], text: Done. } }
default: Begun.
`,
  },
  async play(stage) {
    await stage.until(({ turns }) => turns[2]?.status === 'in_flight');
    await stage.killed();
    stage.allow('go');
    await stage.answer('interrupted_turn', { option: 'resend' });
    await stage.answer(open, { option: 'deny', reason: 'no' });
    await stage.until(({ status }) => status === 'finished');
  },
};

const context = {
  '.muster/context.md': 'Lighthouse is used by harbour masters. Write for them: plain words, no praise.\n',
  'notes/0.4.md': 'Tide tables are streamed. New: lighthouse next. Times are right in summer.\n',
};
const used = 'usage: { input_tokens: 90, output_tokens: 28, cost_usd: 0.01 }';

const revised: Scene = {
  name: 'revised-and-approved',
  instruction: 'Keep it short.',
  workflow: `description: A writer drafts and revises in one session, a checker looks for mistakes, you approve, a command commits.
workspace: worktree
steps:
  - id: draft
    type: step.agent_task
    title: Draft the notes
    config:
      acp_profile_id: writer
      instruction: Read notes/0.4.md and draft release notes for version 0.4.
      re_prompts: [What did you miss? What could be plainer?, Write the final version.]
      named_outputs: ['📄 Notes', '📄 Summary']
      session_persist: true
  - id: check
    type: step.agent_task
    title: Check the facts
    config: { acp_profile_id: checker, instruction: Compare the release notes with notes/0.4.md. }
  - { id: approve, type: step.approval, title: 'Publish?', config: { message: Shall these notes be committed as NOTES.md? } }
  - id: publish
    type: step.command
    title: Commit NOTES.md
    config:
      script: |
        printf '%s\\n' "$DATA_IN" > NOTES.md
        git add NOTES.md
        git -c user.name=Sample -c user.email=sample@example.org commit --quiet -m 'Release notes for 0.4'
cables:
  - { from: draft.named_notes_out, to: check.data_in }
  - { from: draft.named_notes_out, to: approve.data_in }
  - { from: check.data_out, to: approve.context_in }
  - { from: approve.revise_out, to: draft.instruction_in }
  - { from: approve.approved_out, to: publish.data_in }
`,
  files: context,
  agents: {
    writer: `match:
  - { when: '^What did you miss', reply: { text: '"Streamed" is our word.', ${used} } }
  - when: '^Write the final version'
    reply: { text: "📄 Notes\\n# Lighthouse 0.4\\n\\n- A year of tide tables opens at once.\\n\\n📄 Summary\\nTide tables open at once.", ${used} }
default: { text: '# Lighthouse 0.4', ${used} }
`,
    checker: 'default: Everything in the notes stands in the source.\n',
  },
  async play(stage) {
    await stage.answer('approval', { option: 'reject', reason: 'Shorter.' });
    await stage.answer('approval', { option: 'approve' });
    await stage.until(({ status }) => status === 'finished');
  },
};

const reader = (id: string, instruction: string, more = '') =>
  `  - { id: ${id}, type: step.agent_task, config: { acp_profile_id: reader, instruction: '${instruction}'${more} } }\n`;

const parallel: Scene = {
  name: 'three-in-parallel',
  workflow: `workspace: worktree
max_parallel: 3
steps:
${reader('newcomer', 'Read notes/0.4.md as a newcomer.')}${reader('harbour_master', 'Read notes/0.4.md as a harbour master.', ', re_prompts: [Rank what you named.]')}${reader('maintainer', 'Read notes/0.4.md as the maintainer.')}  - id: together
    type: step.agent_task
    config: { acp_profile_id: writer, instruction: Bring the three readings together. }
cables:
  - { from: newcomer.data_out, to: together.context_in }
  - { from: harbour_master.data_out, to: together.context_in }
  - { from: maintainer.data_out, to: together.context_in }
`,
  files: context,
  agents: {
    reader: `default: { text: 'Reading {{turn}} of {{session}}.', ${used} }\n`,
    writer: 'default: 1. Say for which harbours the times were wrong.\n',
  },
  play: (stage) => stage.until(({ status }) => status === 'finished'),
};

/** Counts its prompts in a variable, so another process would begin at one, and waits for a file if told to. */
const program = `folder=$1
turn=0
printf 'agent> '
while IFS= read -r line; do
  turn=$((turn + 1))
  case $line in *wait*) while [ ! -e "$folder/worktrees/go-$turn" ]; do sleep 0.05; done ;; esac
  "$MUSTER_SIGNAL" '{"type":"ended","text":"answer '"$turn"'"}'
  printf 'agent> '
done
`;

const terminalAgent: Scene = {
  name: 'terminal-agent-over-two-kills',
  workflow: `workspace: worktree
steps:
  - { id: work, type: step.agent_task, config: { acp_profile_id: by-hand, instruction: first wait, re_prompts: [second] } }
  - { id: ok, type: step.approval, config: { message: Go on? } }
  - { id: again, type: step.agent_task, config: { acp_profile_id: by-hand, instruction: third, session_mode: continue } }
cables:
  - { from: work.signal_out, to: ok.signal_in }
  - { from: work.data_out, to: again.data_in }
  - { from: ok.approved_out, to: again.context_in }
`,
  agents: {},
  terminalAgent: program,
  async play(stage) {
    await stage.until(({ turns }) => turns[1]?.status === 'in_flight');
    await stage.killed();
    stage.allow('go-1');
    await stage.until(({ gates }) => Object.values(gates).some(({ kind }) => kind === 'approval'));
    await stage.killed();
    await stage.answer('approval', { option: 'approve' });
    await stage.until(({ status }) => status === 'finished');
  },
};

/** A run that takes over the results of another, up to a step. */
const again: Scene = {
  name: 'run-again',
  workflow: `workspace: worktree
inputs: { ticket: { type: string, default: one } }
steps:
  - { id: first, type: step.agent_task, config: { acp_profile_id: worker, instruction: Write $INPUTS.ticket. } }
  - { id: beside, type: step.agent_task, when: "$INPUTS.ticket == 'two'", config: { acp_profile_id: worker, instruction: Never. } }
  - { id: second, type: step.agent_task, config: { acp_profile_id: worker, instruction: Mend it., session_mode: continue } }
  - { id: third, type: step.approval, config: { message: Good? } }
cables:
  - { from: first.data_out, to: second.data_in }
  - { from: first.data_out, to: beside.data_in }
  - { from: second.data_out, to: third.data_in }
`,
  agents: {
    worker: `match:
  - { when: '^Write', reply: { do: [{ write: { path: made.txt, content: 'made' } }], text: Written. } }
default: Mended.
`,
  },
  async play(stage) {
    await stage.answer('approval', { option: 'approve' });
    await stage.until(({ results }) => results !== null);
    const { runId } = await stage.core.call('run.again', { runId: stage.runId, step: 'second' });
    stage.runId = runId;
    await stage.answer('approval', { option: 'approve' });
    await stage.until(({ results }) => results !== null);
  },
};

export const sessionScenes: readonly Scene[] = [
  ...[cancelled, killed, revised, parallel],
  ...[terminalAgent, again],
];
