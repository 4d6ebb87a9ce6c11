import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { expect, test } from 'vitest';
import { WorkflowFiles } from './workflow-files';

async function problemsOf(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'muster-references-'));
  const path = join(folder, 'w.yaml');
  writeFileSync(path, text);
  const files = new WorkflowFiles({
    reader: yamlReader,
    registry: stepRegistry,
    profiles: () => ({ fake: fakeProfile }),
    defaultProfile: () => 'fake',
  });
  const { problems } = await files.load(path, 'w.yaml', folder);
  return problems
    .filter(({ code }) => code !== 'validation.agent_missing')
    .map(({ code, severity, message, where, mend }) => ({
      code,
      severity,
      message,
      mend: mend !== undefined,
      at: `${where?.line}:${where?.column}`,
    }));
}

test('every wrong reference is reported at once, each with code, line, column and hint', async () => {
  const problems = await problemsOf(`name: Wrong
steps:
  - id: first
    type: step.agent_task
    config: {instruction: "Use \\"$work.output\\" and $first.output.x"}
  - id: work
    type: step.agent_task
    config:
      instruction: >-
        Folded text with $first.output that is
        fine, and $frist.output
        and $nope.output.x
      re_prompts:
        - Plain $INPUTS.name here
        - \\$nope.output.x is text
  - id: run
    type: step.command
    config:
      script: |
        echo "$work.output"
        echo '$work.output'
        eval $first.output
  - id: ok
    type: step.approval
    config: {message: $LOOP_PREV_OUTPUT}
  - id: ARGUMENTS
    type: step.agent_task
    config: {instruction: x}
cables:
  - {from: first.data_out, to: work.data_in}
  - {from: work.signal_out, to: run.signal_in}
  - {from: run.nothing, to: missing.data_in}
`);
  expect(problems.map(({ code, severity, at }) => `${code} ${severity} ${at}`)).toEqual([
    'validation.reference_upstream error 5:34',
    'validation.reference_upstream error 5:53',
    'validation.reference warning 11:19',
    'validation.reference error 12:13',
    'validation.reference error 14:17',
    'validation.script_quotes error 21:15',
    'validation.script_quotes error 22:14',
    'validation.reference error 25:23',
    'validation.reference error 26:9',
    'validation.dangling_cable error 32:undefined',
  ]);
  expect(problems.slice(0, -1).every(({ mend }) => mend)).toBe(true);
});

test('the previous pass of a loop has a value only in the loop', async () => {
  const loop = (prompt: string) => `name: Loop
steps:
  - id: fix
    type: step.agent_task
    config: {instruction: "x $LOOP_PREV.fix.output"}
  - id: polish
    type: step.loop
    config:
      max_iterations: 2
      until: DONE
      body:
        steps:
          - id: work
            type: step.agent_task
            config: {instruction: "${prompt}"}
cables:
  - {from: fix.data_out, to: polish.data_in}
`;
  const problems = await problemsOf(loop('Before: $LOOP_PREV.work.output'));
  expect(problems.map(({ message, at }) => [at, message])).toEqual([
    ['5:30', 'step "fix": $LOOP_PREV.fix.output: $LOOP_PREV has a value only inside a loop'],
  ]);
  const outer = await problemsOf(loop('Before: $LOOP_PREV.fix.output'));
  expect(outer).toHaveLength(2);
  for (const { message } of outer) expect(message).toContain('$LOOP_PREV has a value only inside a loop');
});
