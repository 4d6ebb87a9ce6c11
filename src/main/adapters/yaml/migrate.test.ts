import { migrateRemoved, removedModes } from '@features/coding/core/removed';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse, parseDocument, stringify } from 'yaml';
import { applyEdits, unshared } from './config-edits';
import { yamlMigrator } from './migrate';

const editsOf = (type: string, config: unknown) => (type === 'step.coding' ? migrateRemoved(config) : []);
const migrate = (text: string) => yamlMigrator.migrate(text, editsOf);

function migrated(text: string): string {
  const result = migrate(text);
  if (!result.ok) throw new Error(result.error.message);
  return result.value.text;
}

const TESTS = (cycles: number) =>
  `Run the tests for this project. If any tests fail, fix the issues and run the tests again. Repeat until all tests pass or you've attempted ${cycles} fix cycles.`;

describe('a migrated file keeps all that is not changed', () => {
  const before = `# Top
name: "x"   # the name
steps:
  - id: build
    type: step.coding
    config:
      # the old way
      completion_mode: "tests_pass" # strict
      test_command: npm test  # quick
      max_iterations: 5
      agents:
        - role: builder
          acp_profile_id:   worker
          instruction_override: |
            Do it.

            Well.

        # the second
        - role: 'other'
          re_prompts:
          - Look.   # first
          - >-
            Look
            again.
  - {id: z, type: step.command, config: {script: "a"}}`;
  const after = `# Top
name: "x"   # the name
steps:
  - id: build
    type: step.coding
    config:
      # the old way
      completion_mode: "agent_signals" # strict
      # test_command: npm test (removed: the agent runs the tests itself)  # quick
      # max_iterations: 5 (removed: it counted rounds, now it would cap all prompts of the step)
      agents:
        - role: builder
          acp_profile_id:   worker
          instruction_override: |
            Do it.

            Well.
          re_prompts:
            - ${TESTS(5)}

        # the second
        - role: 'other'
          re_prompts:
          - Look.   # first
          - >-
            Look
            again.
          - ${TESTS(5)}
  - {id: z, type: step.command, config: {script: "a"}}`;

  test('a migrated file keeps comments, order, quotes and layout', () => {
    expect(migrated(before)).toBe(after);
  });

  test('a migrated file keeps line ends of Windows', () => {
    expect(migrated(before.replaceAll('\n', '\r\n'))).toBe(after.replaceAll('\n', '\r\n'));
  });

  test('each change of a migration names the line where it was', () => {
    const result = migrate(before);
    expect(result.ok && result.value.changes.map(({ path, line }) => [path, line])).toEqual([
      ['steps[0].config.completion_mode', 8],
      ['steps[0].config.test_command', 9],
      ['steps[0].config.max_iterations', 10],
      ['steps[0].config.agents[0].re_prompts', 14],
      ['steps[0].config.agents[1].re_prompts', 21],
    ]);
  });
});

const step = (config: string) => `name: x\nsteps:\n  - id: a\n    type: step.coding\n    config:\n${config}`;

describe('shapes of a definition', () => {
  test('the comments of a migrated step on one line stand above it', () => {
    const line =
      '  - {id: b, type: step.coding, config: {test_command: npm test, max_iterations: 3, completion_mode: tests_pass}}\n';
    expect(migrated(`name: x\nsteps:\n${line}`)).toBe(`name: x
steps:
  # test_command: npm test (removed: the agent runs the tests itself)
  # max_iterations: 3 (removed: it counted rounds, now it would cap all prompts of the step)
  - {id: b, type: step.coding, config: {completion_mode: agent_signals, agents: [{role: "builder", re_prompts: ["${TESTS(3)}"]}]}}
`);
  });

  test('a command on several lines, a step without agents, and a configuration that becomes empty are migrated', () => {
    const old = step(
      '      completion_mode: iteration_limit\n      test_command: |\n        npm ci\n\n        npm test\n      agents: []\n',
    );
    expect(migrated(`${old}  - id: b\n    type: step.coding\n    config:\n      test_command:`)).toBe(
      `${step(
        [
          '      completion_mode: agent_signals',
          '      # test_command: | (removed: the agent runs the tests itself)',
          '      #   npm ci',
          '# ',
          '      #   npm test',
          '      agents:',
          '        - role: builder',
          '          re_prompts:',
          '            - Review your implementation for completeness and correctness.',
          '            - Address any remaining issues and finalize.',
        ].join('\n'),
      )}\n  - id: b\n    type: step.coding\n    config:\n      # test_command: (removed: the agent runs the tests itself)\n      {}`,
    );
  });

  test('comments between a list and the next agent stay there', () => {
    const lists = (more: string) => `      completion_mode: MODE
      agents:
        - role: a
          re_prompts:
            - Look.
${more}
          # about the second

        - role: b # second
          re_prompts: []
`;
    const [one, two] = [`            - ${TESTS(3)}\n`, `            - ${TESTS(3)}`];
    expect(migrated(step(lists('').replace('MODE', 'tests_pass')))).toBe(
      step(lists(one).replace('MODE', 'agent_signals').replace('re_prompts: []', `re_prompts:\n${two}`)),
    );
  });

  test('a text on several lines keeps the empty lines that are its own, and no others', () => {
    const agents = (mode: string, [first, second]: readonly string[]) =>
      step(`      completion_mode: ${mode}
      agents:
        - role: a
          re_prompts:
            - |
              Look.
${first}
        - role: b
          instruction_override: |+
            Kept.

${second}`);
    const list = `            - ${TESTS(3)}\n`;
    expect(migrated(agents('tests_pass', ['', '']))).toBe(
      agents('agent_signals', [list, `          re_prompts:\n${list}`]),
    );
  });

  test('an agent list that is an alias of one in the same kind of step is changed once', () => {
    const text = `name: x
steps:
  - id: a
    type: step.coding
    config: {completion_mode: tests_pass, agents: &team [{role: builder}]}
  - {id: b, type: step.coding, config: {completion_mode: tests_pass, agents: *team}}
`;
    const value = parse(migrated(text));
    expect(value.steps[1].config).toEqual({
      completion_mode: 'agent_signals',
      agents: [{ role: 'builder', re_prompts: [TESTS(3)] }],
    });
    expect(value.steps[0].config).toEqual(value.steps[1].config);
  });

  test('a part that is shared with a step that must stay is refused, not changed', () => {
    const text = `name: x
steps:
  - {id: a, type: step.coding, config: {completion_mode: tests_pass, agents: &team [{role: builder}]}}
  - {id: b, type: step.coding, config: {completion_mode: agent_signals, agents: *team}}
`;
    expect(migrate(text)).toMatchObject({ ok: false, error: { code: 'validation.completion_mode_removed' } });
  });

  test('broken YAML is named with its line, and anything that is no workflow stays', () => {
    expect(migrate('name: x\nsteps: [a\n')).toMatchObject({ ok: false, error: { code: 'validation.yaml' } });
    for (const text of ['', '- a\n', 'steps: 3\n', 'steps: [null, {type: step.coding}]\n']) {
      expect(migrate(text)).toEqual({ ok: true, value: { text, changes: [] } });
    }
  });
});

const word = fc.constantFrom(
  'a',
  "it's",
  'x: y',
  '# no',
  'two\nlines\n',
  'kept\n\n',
  '',
  '- dash',
  'ends ',
  '{b}',
  'ü, €',
);
const reprompt = fc.oneof(word, fc.record({ text: word, attachments: fc.array(word, { maxLength: 2 }) }));
const agent = fc.record(
  {
    role: word,
    acp_profile_id: fc.option(word),
    agent_config: fc.record({ model: word, extra: fc.array(word, { maxLength: 2 }) }),
    instruction_override: fc.option(word),
    re_prompts: fc.option(fc.array(reprompt, { maxLength: 3 })),
  },
  { requiredKeys: ['role'] },
);
const coding = fc.record(
  {
    instruction: word,
    completion_mode: fc.constantFrom('tests_pass', 'iteration_limit', 'agent_signals'),
    test_command: fc.option(word),
    max_iterations: fc.option(fc.integer({ min: -1, max: 12 })),
    agents: fc.option(fc.array(agent, { maxLength: 3 })),
    capture_test_results: fc.boolean(),
  },
  { requiredKeys: [] },
);
const other = fc.record({ instruction: word, re_prompts: fc.array(word, { maxLength: 2 }) });
const anyStep = fc.oneof(
  fc.record({ id: word, type: fc.constant('step.coding'), config: coding.chain(shuffled) }),
  fc.record({ id: word, type: fc.constant('step.agent_task'), config: other }),
);
function shuffled<T extends object>(value: T): fc.Arbitrary<T> {
  const entries = Object.entries(value);
  return fc
    .shuffledSubarray(entries, { minLength: entries.length, maxLength: entries.length })
    .map((order) => Object.fromEntries(order) as T);
}

/** The same definition in one of several YAML layouts. */
const layout = fc.record({
  collectionStyle: fc.constantFrom('any' as const, 'block' as const, 'flow' as const),
  indent: fc.constantFrom(2, 4),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 40),
  defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const, 'QUOTE_SINGLE' as const),
  eol: fc.constantFrom('\n', '\r\n'),
  lastLineEnd: fc.boolean(),
  topFlow: fc.boolean(),
});
const file = fc
  .tuple(fc.record({ name: word, steps: fc.array(anyStep, { minLength: 1, maxLength: 4 }) }), layout)
  .map(([definition, { eol, lastLineEnd, topFlow, ...options }]) => {
    // Steps on one line each in a list of lines, in addition to all-block and all-flow layouts.
    const body = topFlow
      ? `name: x\nsteps:\n${definition.steps.map((one) => `- ${stringify(one, { ...options, lineWidth: 0, collectionStyle: 'flow' })}`).join('')}`
      : stringify(definition, options);
    const text = `# A comment\n${body}`.replaceAll('\n', eol);
    return lastLineEnd ? text : text.trimEnd();
  });

interface Definition {
  readonly steps: readonly { readonly type: string; readonly config: Record<string, never> }[];
}

describe('any definition', () => {
  test('any definition is migrated to what the rules say, step by step, and a second time to itself', () => {
    fc.assert(
      fc.property(file, (text) => {
        // The library writes some empty lists in a form that it cannot read.
        fc.pre(parseDocument(text).errors.length === 0);
        const old = unshared(parse(text)) as Definition;
        const fresh = migrated(text);
        const expected = old.steps.map((one) => ({
          ...one,
          config: applyEdits(one.config, editsOf(one.type, one.config)),
        }));
        const value = parse(fresh) as Definition;
        expect(value).toEqual({ ...old, steps: expected });
        expect(
          value.steps.flatMap((one) => (one.type === 'step.coding' ? removedModes(one.config) : [])),
        ).toEqual([]);
        expect(fresh.startsWith('# A comment')).toBe(true);
        expect(migrated(fresh)).toBe(fresh);
      }),
      { numRuns: 400 },
    );
  });
});
