import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stepRegistry } from '@features/core';
import { yamlReader } from '@main/adapters/yaml/document';
import { fakeProfile } from '@main/core/engine/testing/harness';
import { describe, expect, test } from 'vitest';
import { WorkflowFiles } from './workflow-files';

const files = new WorkflowFiles({
  reader: yamlReader,
  registry: stepRegistry,
  profiles: () => ({ fake: fakeProfile, other: { ...fakeProfile, id: 'other' } }),
  defaultProfile: () => null,
});

async function load(text: string) {
  const project = mkdtempSync(join(tmpdir(), 'muster-wf-'));
  mkdirSync(join(project, '.muster', 'workflows'), { recursive: true });
  const path = join(project, '.muster', 'workflows', 'w.yaml');
  writeFileSync(path, text);
  return files.load(path, 'w.yaml', project);
}

const first = async (text: string) => {
  const { problems, plan } = await load(text);
  const [problem] = problems;
  return {
    code: problem?.code,
    line: problem?.where?.line,
    message: problem?.message,
    plan: plan !== null,
    count: problems.length,
  };
};

const step = (id: string, more = '') => `  - id: ${id}
    type: step.agent_task
    config:
      instruction: do it
      acp_profile_id: fake
${more}`;

describe('bad input: one clear error with its line', () => {
  test('broken YAML is one error', async () => {
    expect(await first('name: x\nsteps:\n  - id: [a\n')).toMatchObject({
      code: 'validation.yaml',
      plan: false,
    });
  });

  test('an alias of nothing, of itself, and too many of them are errors', async () => {
    expect(await first(`name: x\nworktree:\n  copy:\n    - *.env\nsteps:\n${step('a')}`)).toEqual({
      code: 'validation.yaml',
      line: 4,
      message: '*.env refers to an anchor &.env that does not exist before it',
      plan: false,
      count: 1,
    });
    expect(await first('name: x\nsteps: &all\n  - *all\n')).toMatchObject({ line: 3, plan: false });
    const lots = Array.from({ length: 9 }, (_, n) => `x${n + 1}: &x${n + 1} [${`*x${n}, `.repeat(9)}]`);
    expect(await first(`x0: &x0 lol\n${lots.join('\n')}\n`)).toMatchObject({
      code: 'validation.yaml',
      line: 2,
      count: 1,
    });
  });

  test('problems come in the order of their lines, each with the step of the file', async () => {
    const loop = `  - id: polish
    type: step.loop
    config:
      prompt: Polish it.
      until: DONE
      max_iterations: 3
      acp_profile_id: nobody
`;
    const early = step('a').replace('fake', 'gone');
    const { problems } = await load(`name: x\nsteps:\n${early}${loop}`);
    expect(problems.map(({ message, where }) => [where?.line, message])).toEqual([
      [7, 'step "a": there is no agent profile "gone"'],
      [14, 'step "polish": there is no agent profile "nobody"'],
    ]);
  });

  test('a bad agents.yaml names its own problem, and the other files are listed as they are', async () => {
    const path = mkdtempSync(join(tmpdir(), 'muster-wf-'));
    mkdirSync(join(path, '.muster', 'workflows'), { recursive: true });
    writeFileSync(join(path, '.muster', 'workflows', 'bad.yaml'), 'worktree:\n  copy: [*.env]\n');
    writeFileSync(join(path, '.muster', 'workflows', 'good.yaml'), `name: good\nsteps:\n${step('a')}`);
    const project = { id: 1, path, name: 'p', addedAt: 0, trouble: null };
    const rows = await files.list(project);
    expect(rows.map(({ name, runnable, problems }) => [name, runnable, problems.length])).toEqual([
      ['bad', false, 1],
      ['good', true, 0],
    ]);
    expect(rows[0]?.problems[0]?.mend).toBe('to use it as text, put it in quotes:  "*.env"');
    writeFileSync(join(path, '.muster', 'agents.yaml'), 'profiles:\n  - *mine\n');
    const { problems } = await files.profilesOf(path);
    expect(problems).toMatchObject([{ code: 'validation.yaml', where: { line: 2 } }]);
  });

  test('an unknown key with dots and brackets of its own is reported at its line', async () => {
    const workflow = `name: x\nsteps:\n${step('a', '    a.b: 1\n    "c[0]": 2\n')}`;
    const { problems } = await load(workflow);
    expect(problems.map(({ where }) => where?.line)).toContain(8);
  });

  test('every unknown key of a place is reported, and a wrong re-prompt', async () => {
    const { problems } = await load(`name: x\ncolour: red\nshape: round\nsteps:\n${step('a')}`);
    expect(problems.map(({ message, where }) => [message, where?.line])).toEqual([
      ['the key "colour" is not known here', 2],
      ['the key "shape" is not known here', 3],
    ]);
    const entries = ['{attachments: [x.md]}', 'null', '5', '{text: go, colour: red, shape: round}'];
    const lines = entries.map((entry) => `        - ${entry}\n`).join('');
    const bad = await load(`name: x\nsteps:\n${step('a', `      re_prompts:\n${lines}`)}`);
    expect(bad.problems.map(({ message, where }) => [message, where?.path, where?.line])).toEqual([
      ['step "a": "re_prompts[0].text" is missing; expected a text', 'steps[0].config.re_prompts[0].text', 9],
      ['step "a": expected a text or an object', 'steps[0].config.re_prompts[1]', 10],
      ['step "a": expected a text or an object', 'steps[0].config.re_prompts[2]', 11],
      ['step "a": the key "colour" is not known here', 'steps[0].config.re_prompts[3].colour', 12],
      ['step "a": the key "shape" is not known here', 'steps[0].config.re_prompts[3].shape', 12],
    ]);
  });

  test('A schema error of the file hides no other error in it', async () => {
    const steps = `${step('a', '      tempo: 3\n')}    when: $gone.status ==\n    trigger_rule: sometimes\n    retry: { max_attempts: 0 }\n`;
    const { problems, definition } = await load(`name: x\ncolour: red\nreturns: nope\nsteps:\n${steps}`);
    expect(problems.map(({ where }) => where?.path).toSorted()).toEqual([
      ...['colour', 'returns', 'steps[0].config.tempo', 'steps[0].retry.max_attempts'],
      ...['steps[0].trigger_rule', 'steps[0].when'],
    ]);
    expect(definition).toBeNull();
  });

  test.each(['inputs: 5\n', 'inputs: { lang: { type: string }, n: 5 }\n'])(
    'An input that cannot be read does not make the references to inputs wrong: %s',
    async (inputs) => {
      const steps = step('a').replace('instruction: do it', 'instruction: $INPUTS.n $INPUTS.lang');
      const { problems } = await load(`name: x\n${inputs}steps:\n${steps}`);
      expect(problems.map(({ where }) => where?.path)).toEqual([expect.stringMatching(/^inputs/)]);
    },
  );

  test.each(['"echo a\\0b"', '"echo a\\x00b"', '"echo a\\u0000b"', 'echo a\0b'])(
    'A text with the character NUL is refused with its line: %j',
    async (script) => {
      const steps = `  - id: a\n    type: step.command\n    config:\n      script: ${script}\n`;
      expect(await first(`name: x\nsteps:\n${steps}`)).toMatchObject({ code: 'validation.yaml', line: 6 });
    },
  );

  test('A backslash before a zero is no NUL where YAML does not read it as one', async () => {
    const steps = "  - id: a\n    type: step.command\n    config:\n      script: 'printf \\0'\n";
    expect((await load(`name: x\nsteps:\n${steps}`)).problems).toEqual([]);
  });

  test('An empty file is reported as such', async () => {
    expect((await load('# nothing yet\n')).problems).toMatchObject([{ message: 'the file is empty' }]);
  });

  test('an unknown key of the workflow, of a step and of a configuration is an error', async () => {
    expect(await first(`name: x\ncolour: red\nsteps:\n${step('a')}`)).toMatchObject({
      code: 'validation.unknown_key',
      line: 2,
      message: 'the key "colour" is not known here',
    });
    expect(await first(`name: x\nsteps:\n${step('a', '    retries: 3\n')}`)).toMatchObject({
      code: 'validation.unknown_key',
      line: 8,
    });
    expect(await first(`name: x\nsteps:\n${step('a', '      tempo: 3\n')}`)).toMatchObject({
      code: 'validation.unknown_key',
      line: 8,
    });
  });

  test('a key that belongs elsewhere is told where', async () => {
    const mend = async (text: string) => (await load(text)).problems[0]?.mend;
    expect(await mend(`name: x\nsteps:\n${step('a', '    budget: {minutes: 3}\n')}`)).toBe(
      'the workflow has that key: write it at the top of the file, beside steps',
    );
    expect(await mend(`name: x\nsteps:\n${step('a', "      when: $b.output == 'x'\n")}`)).toBe(
      'the step has that key: write it beside config',
    );
    expect(await mend(`name: x\nretry: {max_attempts: 2}\nsteps:\n${step('a')}`)).toBe(
      'a step has that key: write it in the step',
    );
    expect(await mend(`name: x\ncolour: red\nsteps:\n${step('a')}`)).toContain('remove the key');
  });

  test('a blank text where one is required is an error', async () => {
    const script = 'name: x\nsteps:\n  - {id: a, type: step.command, config: {script: "  "}}\n';
    expect(await first(script)).toMatchObject({
      code: 'validation.config',
      message: expect.stringContaining('write a script'),
    });
    expect(await first(`name: " "\nsteps:\n${step('a')}`)).toMatchObject({
      message: expect.stringContaining('it is blank'),
    });
  });

  test('an unknown step type is an error with the known ones', async () => {
    const { problems } = await load('name: x\nsteps:\n  - id: a\n    type: step.magic\n');
    expect(problems[0]).toMatchObject({
      code: 'validation.unknown_step_type',
      message: 'there is no step type "step.magic"',
      where: { file: 'w.yaml', line: 4 },
      mend: expect.stringContaining('step.agent_task'),
    });
  });

  test('a cycle of cables is an error', async () => {
    const cables = 'cables:\n  - {from: a.data_out, to: b.data_in}\n  - {from: b.data_out, to: a.data_in}\n';
    expect(await first(`name: x\nsteps:\n${step('a')}${step('b')}${cables}`)).toMatchObject({
      code: 'validation.cycle',
      message: 'these steps wait for each other: a, b',
      plan: false,
    });
  });

  test('only a revise_out may lead back', async () => {
    const gate = '  - id: g\n    type: step.approval\n    config: {message: ok?}\n';
    const to = (port: string) =>
      `cables:\n  - {from: a.data_out, to: g.data_in}\n  - {from: g.${port}, to: a.instruction_in}\n`;
    expect((await load(`name: x\nsteps:\n${step('a')}${gate}${to('revise_out')}`)).plan).not.toBeNull();
    expect(await first(`name: x\nsteps:\n${step('a')}${gate}${to('approved_out')}`)).toMatchObject({
      code: 'validation.cycle',
    });
  });

  test('a cable to nowhere is an error', async () => {
    const cables = 'cables:\n  - {from: a.data_out, to: z.data_in}\n';
    expect(await first(`name: x\nsteps:\n${step('a')}${cables}`)).toMatchObject({
      code: 'validation.dangling_cable',
      message: 'the cable leads to "z", which is not a step',
      line: 9,
      plan: false,
    });
  });

  test('a cable from a port that went with separate_outputs is a warning, and the run may start (seed 000, 5)', async () => {
    const cables = 'cables:\n  - {from: a.reprompt_1_out, to: b.data_in}\n';
    const { problems, plan } = await load(
      `name: x\nsteps:\n${step('a', '      re_prompts: [more]\n')}${step('b')}${cables}`,
    );
    expect(problems).toMatchObject([{ code: 'validation.dangling_cable', severity: 'warning' }]);
    expect(plan).not.toBeNull();
  });

  test('an empty re-prompt is an error at its line, more than ten a warning (seed 000, 10)', async () => {
    const empty = `name: x\nsteps:\n${step('a', '      re_prompts:\n        - fine\n        - ""\n')}`;
    expect(await first(empty)).toMatchObject({ code: 'validation.reprompt_empty', line: 10, plan: false });
    const many = Array.from({ length: 11 }, (_, index) => `        - again ${index}\n`).join('');
    const { problems, plan } = await load(`name: x\nsteps:\n${step('a', `      re_prompts:\n${many}`)}`);
    expect(problems).toMatchObject([{ code: 'validation.reprompt_too_many', severity: 'warning' }]);
    expect(plan).not.toBeNull();
  });

  test('an unknown profile and a missing file are errors', async () => {
    expect(
      await first(
        'name: x\nsteps:\n  - id: a\n    type: step.agent_task\n    config: {instruction: x, acp_profile_id: nobody}\n',
      ),
    ).toMatchObject({
      code: 'validation.profile_unknown',
      message: 'step "a": there is no agent profile "nobody"',
    });
    expect(
      await first(
        `name: x\nsteps:\n${step('a', '      re_prompts:\n        - {text: see, attachments: [gone.txt]}\n')}`,
      ),
    ).toMatchObject({
      code: 'validation.file_missing',
      message: 'step "a": there is no file gone.txt',
      plan: false,
    });
  });

  test('a continued session that is ambiguous or of another profile is an error', async () => {
    const other = step('c', '      session_mode: continue\n').replace(
      'acp_profile_id: fake',
      'acp_profile_id: other',
    );
    const two = 'cables:\n  - {from: a.data_out, to: c.data_in}\n  - {from: b.data_out, to: c.data_in}\n';
    expect((await first(`name: x\nsteps:\n${step('a')}${step('b')}${other}${two}`)).message).toContain(
      'two candidate sessions: a, b',
    );
    const one = 'cables:\n  - {from: a.data_out, to: c.data_in}\n';
    expect((await first(`name: x\nsteps:\n${step('a')}${other}${one}`)).message).toContain(
      'a session of "fake", but the step names "other"',
    );
  });

  test('a cap that one pass cannot keep and a step without an agent are errors', async () => {
    expect(
      await first(`name: x\nsteps:\n${step('a', '      re_prompts: [x, y]\n      max_iterations: 2\n')}`),
    ).toMatchObject({
      code: 'validation.max_iterations',
      line: 9,
    });
    expect(
      await first('name: x\nsteps:\n  - id: a\n    type: step.agent_task\n    config: {instruction: x}\n'),
    ).toMatchObject({
      code: 'validation.agent_missing',
    });
  });
});
