import { prd, storyWorker } from './sample-loop.mjs';
import { builder, planner, reviewer, undecided } from './sample-scripts.mjs';

/** The files of the projects in the pictures: agents with scripts, and a workflow for each thing to show. */

const agent = (id, name, script) => ({
  kind: 'scripted',
  id,
  name,
  script: `.muster/scripts/${script}.yaml`,
});
const gateway = (url, of) => ({ kind: 'gateway', api: 'openai', base_url: url, ...of });

const agents = (url) =>
  JSON.stringify({
    profiles: [
      agent('builder', 'Builder', 'builder'),
      { ...agent('reviewer', 'Reviewer', 'reviewer'), read_only: true },
      agent('story-worker', 'Story worker', 'story-worker'),
      agent('planner', 'Planner', 'planner'),
      agent('undecided', 'Second reader', 'undecided'),
      gateway(url, { id: 'root', name: 'Root model', model: 'large' }),
      gateway(url, { id: 'small', name: 'Small model', model: 'small' }),
    ],
  });

const ask = (instruction, more = '') =>
  `    config: { acp_profile_id: builder, instruction: "${instruction}"${more} }\n`;

/** A step that makes a change, one that checks it, one that reviews it. */
const change = `  - id: build
    type: step.coding
    title: Build the limiter
    config:
      instruction: Build the limiter.
      agents:
        - { role: builder, acp_profile_id: builder, re_prompts: [Cover it with a test.] }
  - id: check
    type: step.command
    title: Run the checks
    config:
      script: "printf '\\\\033[1mchecking 14 files\\\\033[0m\\\\n\\\\033[32m✓\\\\033[0m format\\\\n\\\\033[32m✓\\\\033[0m lint\\\\n\\\\033[33m! 1 warning\\\\033[0m src/limit.ts:7 a name of two letters\\\\n\\\\033[32m✓\\\\033[0m types\\\\n'"
      terminal: false
  - id: review
    type: step.red_team
    title: Attack the change
    config: { acp_profile_id: reviewer, instruction: Attack the change., fail_on: none }
`;

/** What a test runner prints, one test of which fails. */
const TESTS = `printf '\\033[32m✓\\033[0m src/limit.test.ts (3 tests) 12ms\\n'
printf '\\033[31m✗\\033[0m src/booking.test.ts (1 failed)\\n  expected 429, got 200\\n\\n3 passed, 1 failed\\n'
exit 1
`;

const workflows = {
  ship: `name: Ship a feature
description: One agent plans, another builds, a third attacks the change. You decide.
steps:
  - id: plan
    type: step.agent_task
    title: Plan the work
${ask('Plan how requests are limited.')}${change}  - id: ship
    type: step.approval
    title: Ship it?
    config:
      message: Merge the limiter? A reject with a reason sends the builder back to work.
  - id: note
    type: step.command
    title: Write the changelog
    config: { script: "echo 'Bookings are limited.' >> CHANGELOG.md" }
cables:
  - { from: plan.data_out, to: build.data_in }
  - { from: build.signal_out, to: check.signal_in }
  - { from: build.data_out, to: review.data_in }
  - { from: build.diff_out, to: ship.data_in }
  - { from: check.data_out, to: ship.context_in }
  - { from: review.findings_out, to: ship.context_in }
  - { from: ship.revise_out, to: build.instruction_in }
  - { from: ship.approved_out, to: note.data_in }
`,
  evidence: `name: Evidence
steps:
${change}  - id: score
    type: step.agent_task
    title: Score the notes
${ask('Score the notes.')}    output_format:
      type: object
      properties: { score: { type: integer }, reason: { type: string }, open: { type: array, items: { type: string } } }
      required: [score, reason]
  - id: announce
    type: step.agent_task
    title: Write the announcement
${ask('Announce it.')}${[
  ['diff', 'Take the change?'],
  ['output', 'Are the checks good enough?'],
  ['findings', 'Are the findings bearable?'],
  ['tests', 'Go on with a failed test?'],
  ['files', 'Are these the right files?'],
  ['json', 'Is the score right?'],
  ['markdown', 'Send the announcement?'],
]
  .map(
    ([id, title]) =>
      `  - { id: ${id}, type: step.approval, title: "${title}", config: { message: "${title}" } }\n`,
  )
  .join('')}cables:
  - { from: build.diff_out, to: diff.data_in }
  - { from: check.data_out, to: output.data_in }
  - { from: review.findings_out, to: findings.data_in }
  - { from: build.test_results_out, to: tests.data_in }
  - { from: build.files_out, to: files.data_in }
  - { from: score.data_out, to: json.data_in }
  - { from: announce.data_out, to: markdown.data_in }
  - { from: build.data_out, to: review.data_in }
`,
  questions: `name: When does it go out?
steps:
  - { id: port, type: step.approval, title: Which port?, config: { message: Which port does the service listen on?, capture_response: true } }
  - id: when
    type: step.approval
    title: When does it go out?
    config:
      message: The notes are ready. The harbour masters read them on Mondays.
      decisions: [{ id: now, label: Now }, { id: monday, label: On Monday }, { id: never, label: Not at all }]
      expires: { minutes: 1440, outcome: monday }
`,
  rework: `name: Announcement
steps:
  - id: draft
    type: step.agent_task
    title: Draft
${ask('Announce it.')}  - id: good
    type: step.approval
    title: Is it good?
    config:
      message: "Is this good?"
      on_reject: { acp_profile_id: builder, prompt: "Make it as the operator says: $REJECTION_REASON" }
cables:
  - { from: draft.data_out, to: good.data_in }
`,
  permission: `name: Change the answer
steps:
  - id: change
    type: step.agent_task
    title: Write the new answer
${ask('Ask before you write.')}`,
  command: `name: Clean up branches
steps:
  - id: clean
    type: step.agent_task
    title: Delete merged branches
${ask('Clean up the branches.')}`,
  login: `name: Translate
steps:
  - id: translate
    type: step.agent_task
    title: Translate the pages
${ask('Translate the pages; not logged in.')}`,
  limit: `name: Sort the mail
steps:
  - id: sort
    type: step.agent_task
    title: Sort by sender
${ask('Sort the mail; at the limit.')}`,
  limitless: `name: Sort the charts
steps:
  - id: charts
    title: Sort the charts
    type: step.agent_task
${ask('Sort the charts; at a limit without an end.')}`,
  backup: `name: Copy the log books
steps:
  - { id: copy, type: step.command, title: Copy the log books, on_interrupt: ask, config: { script: "echo copying 12 books; sleep 600", terminal: false } }
`,
  budget: `name: Read everything
budget: { tokens: 1000 }
steps:
  - id: read
    type: step.agent_task
    title: Read the archive
${ask('Plan what to read.', ', re_prompts: [Plan it again.]')}`,
  review: `name: Second opinion
steps:
  - id: draft
    type: step.agent_task
    title: Draft
${ask('Announce it.')}  - id: opinion
    type: step.agent_review_gate
    title: A second opinion
    config: { acp_profile_id: undecided, instruction: Say whether it is good. }
cables:
  - { from: draft.data_out, to: opinion.data_in }
`,
  interrupted: `name: Rewrite the index
steps:
  - id: rewrite
    type: step.agent_task
    title: Write a new index
    on_interrupt: ask
${ask('Rewrite the index.')}`,
  pages: `name: Check every page
description: Checks each page of the handbook, and goes on where one cannot be read.
returns: sum
steps:
  - { id: list, type: step.command, title: List the pages, config: { script: "printf '[\\"pier 1\\", \\"pier 2\\", \\"pier 3\\"]'" } }
  - id: check
    type: step.workflow
    title: Check each page
    config:
      for_each: { items: $list.output, as: page, max_parallel: 3, join: all_done }
      body:
        steps:
          - id: read
            type: step.agent_task
            title: Read the page
            config: { acp_profile_id: builder, instruction: "Check the page of $INPUTS.page. Break on $INPUTS.page." }
  - id: sum
    type: step.agent_task
    title: Sum it up
    trigger_rule: all_done
${ask('Sum up what was found.')}cables:
  - { from: list.signal_out, to: check.signal_in }
  - { from: check.data_out, to: sum.data_in }
`,
  variants: `name: Which wording is best
steps:
  - id: compare
    type: step.experiment
    title: Three wordings
    config:
      target: { id: draft, type: step.agent_task, title: Draft, config: { acp_profile_id: builder, instruction: Announce it. } }
      variants:
        - { name: as it is }
        - { name: shorter, instruction_override: Announce it in one line. }
        - { name: with a plan, instruction_override: Plan the announcement. }
`,
  fail: `name: Publish the tide table
steps:
  - { id: build, type: step.command, title: Build the table, config: { script: "echo 'reading 12 months'; sleep 1; echo 'month 7: no such file' >&2; exit 3" } }
`,
  broken: `name: Broken
steps:
  - { id: read, type: step.agent_task, config: { acp_profile_id: nobody, instruction: Read. } }
  - { id: write, type: step.write, config: {} }
cables:
  - { from: read.data_out, to: gone.data_in }
`,
  watch: `name: Watch the harbour
steps:
  - { id: plan, type: step.agent_task, title: Plan the watch, config: { acp_profile_id: builder, instruction: Plan the watch. } }
  - { id: watch, type: step.command, title: Watch the gauge, config: { script: "for i in 1 2 3; do echo \\"gauge $i: 3.2$i m\\"; done; sleep 600" } }
  - { id: index, type: step.agent_task, title: Write the log, config: { acp_profile_id: builder, instruction: Rewrite the index. } }
  - { id: tell, type: step.approval, title: Tell the others?, config: { message: Tell the others? } }
cables:
  - { from: plan.data_out, to: watch.data_in }
  - { from: plan.data_out, to: index.data_in }
  - { from: watch.data_out, to: tell.data_in }
  - { from: index.data_out, to: tell.context_in }
`,
};

const mapped = (folder, texts, ending) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${folder}/${name}.${ending}`, text]));

/** The project in most pictures; `url`: the address of its models. */
export const harbour = (url) => ({
  'package.json': '{ "name": "harbour", "private": true, "scripts": { "test": "sh run-tests.sh" } }\n',
  'run-tests.sh': TESTS,
  'README.md': '# Harbour\n\nBooks berths.\n',
  'src/booking.ts':
    'export type Answer = { status: number; berth?: string; retryAfter?: number };\n\nexport function book(berth: string): Answer {\n  return { status: 200, berth };\n}\n',
  'handbook/keys.txt':
    'The red key opens the boathouse.\nThe blue key opens the crane.\nKeys hang in the office.\n',
  'handbook/piers.txt': 'Pier 1 is for guests.\nPier 2 is for fishers.\nPier 3 is closed in winter.\n',
  'prd.json': prd,
  '.muster/agents.yaml': agents(url),
  ...mapped(
    '.muster/scripts',
    { builder, reviewer, planner, undecided, 'story-worker': storyWorker },
    'yaml',
  ),
  ...mapped('.muster/workflows', workflows, 'yaml'),
});
