import { expect, test } from 'vitest';
import { converted, wrap } from './testing/converted';

test('prompts, commands, scripts, conditions and cables are carried over, and the file is valid', async () => {
  const { definition, errors, step } = await converted(`name: Fix
description: Fixes it
provider: codex
model: gpt-x
worktree: {enabled: true}
inputs: {who: {required: true}, tone: {default: kind}}
returns: say
nodes:
  - id: look
    prompt: Look at $ARGUMENTS and $INPUTS.tone
    output_format: {type: object, properties: {kind: {type: string}}, required: [kind]}
    retry: {max_attempts: 2, delay_ms: 5000, on_error: all}
  - id: 2nd
    command: greet
    with: {who: '$look.output.kind'}
    when: "$look.kind == 'bug' && $look.output.kind != ''"
    depends_on: [look]
    trigger_rule: all_success
  - id: say
    bash: echo "$2nd.output" 'kind is $look.output.kind'
    timeout: 1500
    depends_on: [2nd]
`);
  expect(errors).toEqual([]);
  expect(definition).toMatchObject({
    name: 'Fix',
    description: 'Fixes it',
    workspace: 'worktree',
    returns: 'say',
  });
  expect(definition?.cables).toEqual([
    { from: 'look.data_out', to: 'step-2nd.data_in' },
    { from: 'step-2nd.signal_out', to: 'say.signal_in' },
  ]);
  expect(step('look')).toMatchObject({
    retry: { max_attempts: 2, delay_seconds: 5, on: 'all' },
    config: { prompt: 'template', acp_profile_id: 'codex', agent_config: { model: 'gpt-x' } },
  });
  expect(step('step-2nd')).toMatchObject({
    when: "$look.output.kind == 'bug' && $look.output.kind != ''",
    trigger_rule: 'all_success',
    retry: { max_attempts: 2, delay_seconds: 3, on: 'transient' },
    config: { session_mode: 'continue', instruction: 'Greet $look.output.kind from $ARGUMENTS.' },
  });
  expect(step('say')?.config).toMatchObject({
    script: `echo "$2nd.output" 'kind is '"$look.output.kind"''`,
    timeout_seconds: 2,
  });
});

test('loops, approvals, cancels and programs are changed, and the report says how', async () => {
  const { errors, step, keys } = await converted(
    wrap(`  - id: work
    loop: {prompt: "Go on. $LOOP_USER_INPUT", until: DONE, max_iterations: 3, fresh_context: true, interactive: true, gate_message: Next?, signal_completes: true}
  - id: ok
    approval: {message: Good?, on_reject: {prompt: "Mend: $REJECTION_REASON", max_attempts: 3}}
    depends_on: [work]
  - id: pick
    approval: {message: Which?, decisions: [{id: approve, label: Yes}, {id: later, label: Later}]}
  - id: stop
    cancel: "Not worth it: $ok.output \\"quoted\\" $HOME"
    depends_on: [ok]
  - id: calc
    script: console.log(1 + 1)
    runtime: bun
`),
  );
  expect(errors).toEqual([]);
  expect(step('work')).toMatchObject({
    type: 'step.loop',
    config: { until: 'DONE', max_iterations: 3, session: 'fresh', interactive: true, gate_message: 'Next?' },
  });
  expect(step('ok')?.config).toMatchObject({
    on_reject: { prompt: 'Mend: $REJECTION_REASON', max_attempts: 2 },
  });
  expect(step('pick')?.config.decisions).toHaveLength(2);
  expect(step('stop')).toMatchObject({
    type: 'step.cancel',
    config: { reason: 'Not worth it: $ok.output "quoted" $HOME' },
  });
  expect(step('calc')?.config.script).toBe("bun -e 'console.log(1 + 1)'\n");
  expect(keys.find(({ key }) => key === 'loop.signal_completes')?.result).toBe('not_carried_over');
});

test('a part that cannot be converted is replaced by a step that fails, and named with its line', async () => {
  const { errors, step, keys } = await converted(
    wrap(`  - id: a
    prompt: x
    idle_timeout: 5
    mcp: tools.json
    odd: 1
  - {id: code, script: "console.log($a.output)", runtime: bun, depends_on: [a]}
  - {id: inc, include: other}
  - {id: sub, workflow: other, input: x}
  - {id: group, loop_group: {nodes: [], max_iterations: 2}}
  - {id: gone, command: nothing}
  - {id: doc, bash: "cat <<'EOF'\\n$a.output\\nEOF", depends_on: [a]}
`),
  );
  expect(errors).toEqual([]);
  const left = keys.filter(({ result }) => result === 'not_carried_over');
  expect(left.map(({ node, key, line }) => `${line} ${node}.${key}`)).toEqual([
    '5 a.idle_timeout',
    '6 a.mcp',
    '7 a.odd',
    '8 code.script',
    '8 code.runtime',
    '9 inc.include',
    '10 sub.workflow',
    '10 sub.input',
    '11 group.loop_group',
    '12 gone.command',
    '13 doc.bash',
  ]);
  for (const id of ['code', 'inc', 'sub', 'group', 'gone', 'doc'])
    expect(step(id)?.config.script).toMatch(/^echo 'This step was not carried over: /);
});

test('references to nothing are written literally, and missing cables are added', async () => {
  const { errors, step, definition } = await converted(
    wrap(`  - id: a
    prompt: "$nope.output.x $LOOP_USER_INPUT $b.output $a.output $INPUTS.x"
    output_format: {type: object, properties: {n: {type: number}}}
  - id: b
    prompt: "$a.output.n $a.output.m"
  - id: c
    prompt: "$a.output"
`),
  );
  expect(errors).toEqual([]);
  expect(step('a')?.config.instruction).toBe(
    '\\$nope.output.x \\$LOOP_USER_INPUT $b.output \\$a.output \\$INPUTS.x',
  );
  expect(step('b')?.config.instruction).toBe('\\$a.output.n \\$a.output.m');
  expect(definition?.cables).toEqual([
    { from: 'b.signal_out', to: 'a.signal_in' },
    { from: 'a.signal_out', to: 'c.signal_in' },
  ]);
});

test('every key of every node is in the report, and another document is refused', async () => {
  const { keys } = await converted(
    wrap('  - {id: a, prompt: x, model: small, context: fresh, allowed_tools: []}\n'),
  );
  expect(new Set(keys.map(({ node, key, result }) => `${node ?? ''}.${key} ${result}`))).toEqual(
    new Set([
      '.name carried_over',
      'a.id carried_over',
      'a.model not_carried_over',
      'a.prompt changed',
      'a.context carried_over',
      'a.retry changed',
      'a.allowed_tools not_carried_over',
    ]),
  );
  await expect(converted('steps: []')).rejects.toThrow('no workflow of Archon');
});
