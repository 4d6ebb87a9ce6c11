/** Steps in bodies and steps that are skipped, retried or made again, each in a workflow of its own. */

const script = (id: string, more = '') => `echo "${id} $(date +%s%3N)" >> ran.log${more}`;

/** It fails until it ran three times. Ones that a kill cut off count too. */
const FLAKY = `${script('flaky')}; [ "$(grep -c '^flaky ' ran.log)" -ge 3 ]`;

export const scopeWorkflows: Readonly<Record<string, string>> = {
  skips: `name: skips
workspace: folder
steps:
  - id: flaky
    type: step.command
    on_interrupt: retry
    retry: { max_attempts: 20, delay_seconds: 0.4, on: all }
    config:
      terminal: false
      script: |
        ${FLAKY}
  - id: never
    type: step.command
    when: $flaky.status == 'skipped'
    config: { terminal: false, script: "true" }
  - { id: behind, type: step.command, config: { terminal: false, script: "true" } }
  - id: last
    type: step.command
    on_interrupt: retry
    trigger_rule: none_failed_min_one_success
    config:
      terminal: false
      script: |
        ${script('last')}
cables:
  - { from: flaky.signal_out, to: never.signal_in }
  - { from: never.signal_out, to: behind.signal_in }
  - { from: behind.signal_out, to: last.signal_in }
  - { from: flaky.signal_out, to: last.signal_in }
`,
  rounds: `name: rounds
workspace: folder
steps:
  - id: rounds
    type: step.loop
    config:
      max_iterations: 500
      interactive: true
      body:
        steps:
          - id: say
            type: step.agent_task
            on_interrupt: retry
            config: { acp_profile_id: teller, prompt: template, instruction: 'Before: [$LOOP_PREV_OUTPUT] [$LOOP_USER_INPUT]' }
          - { id: note, type: step.command, on_interrupt: retry, config: { terminal: false, script: "true" } }
        cables:
          - { from: say.data_out, to: note.data_in }
        output: note
`,
  items: `name: items
workspace: folder
max_parallel: 3
steps:
  - id: each
    type: step.workflow
    config:
      for_each: { items: [1, 2, 3, 4, 5, 6], max_parallel: 3 }
      body:
        steps:
          - id: do
            type: step.command
            on_interrupt: retry
            config:
              terminal: false
              script: |
                ${script('each[$ITEM]/do', '; sleep 0.05')}
          - id: tell
            type: step.agent_task
            on_interrupt: retry
            config: { acp_profile_id: teller, instruction: Tell of $ITEM. }
        cables:
          - { from: do.data_out, to: tell.data_in }
`,
  builders: `name: builders
steps:
  - id: each
    type: step.workflow
    config:
      for_each: { items: [north, south], max_parallel: 2 }
      body:
        steps:
          - id: build
            type: step.agent_task
            on_interrupt: retry
            config: { acp_profile_id: builder, instruction: Build $ITEM. }
`,
  rework: `name: rework
workspace: folder
steps:
  - id: ok
    type: step.approval
    on_interrupt: retry
    config:
      message: Is it good?
      on_reject: { acp_profile_id: teller, prompt: "Mend it: $REJECTION_REASON", max_attempts: 10 }
`,
  experiment: `name: experiment
steps:
  - id: compare
    type: step.experiment
    config:
      target:
        id: build
        type: step.agent_task
        on_interrupt: retry
        config: { acp_profile_id: builder, instruction: Build it., re_prompts: [Check it.] }
      variants:
        - { name: as it is }
        - { name: brief, instruction_override: Build it briefly. }
        - { name: once, config_overrides: { re_prompts: [] } }
`,
};
