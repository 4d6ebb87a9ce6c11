import { describe, expect, test } from 'vitest';
import { migrateRemoved, removedModes } from './removed';

const paths = (config: unknown) =>
  removedModes(config).map(({ code, severity, path }) => [code, severity, path]);
const CODE = 'validation.completion_mode_removed';

describe('removed completion modes are recognised (seed 000 section 2.3)', () => {
  test('both removed completion modes are recognised, and test_command with any value', () => {
    expect(paths({ completion_mode: 'tests_pass', test_command: 'npm test' })).toEqual([
      [CODE, 'error', 'completion_mode'],
      [CODE, 'error', 'test_command'],
    ]);
    expect(paths({ completion_mode: 'iteration_limit' })).toEqual([[CODE, 'error', 'completion_mode']]);
    expect(paths({ completion_mode: 'agent_signals', test_command: null })).toEqual([
      [CODE, 'error', 'test_command'],
    ]);
  });

  test('the error for each removed mode names the migration', () => {
    for (const { mend } of removedModes({ completion_mode: 'tests_pass', test_command: '' })) {
      expect(mend).toContain('muster migrate FILE');
    }
  });

  test('no other configuration is taken for a removed mode', () => {
    for (const config of [
      {},
      { completion_mode: 'agent_signals' },
      { completion_mode: 'x' },
      null,
      [],
      'a',
      3,
    ]) {
      expect([removedModes(config), migrateRemoved(config)]).toEqual([[], []]);
    }
  });
});

describe('the migration of removed modes', () => {
  const testing = (cycles: number) =>
    `Run the tests for this project. If any tests fail, fix the issues and run the tests again. Repeat until all tests pass or you've attempted ${cycles} fix cycles.`;
  const signals = { kind: 'set', key: 'completion_mode', value: 'agent_signals' };

  test('the mode tests_pass becomes an instruction to every agent to run the tests, with the old number', () => {
    const config = {
      completion_mode: 'tests_pass',
      test_command: 'npm test',
      max_iterations: 5,
      agents: [{ role: 'builder' }, { role: 'second', re_prompts: ['Look.'] }],
    };
    expect(migrateRemoved(config)).toEqual([
      signals,
      { kind: 'append', path: ['agents', 0, 're_prompts'], values: [testing(5)] },
      { kind: 'append', path: ['agents', 1, 're_prompts'], values: [testing(5)] },
      { kind: 'drop', key: 'test_command', why: 'removed: the agent runs the tests itself' },
      expect.objectContaining({ kind: 'drop', key: 'max_iterations' }),
    ]);
  });

  test('the mode iteration_limit becomes two re-prompts with content, and a builder where no agent is listed', () => {
    const re_prompts = [
      'Review your implementation for completeness and correctness.',
      'Address any remaining issues and finalize.',
    ];
    for (const agents of [undefined, null, []]) {
      const config = { completion_mode: 'iteration_limit', ...(agents === undefined ? {} : { agents }) };
      expect(migrateRemoved(config)).toEqual([
        signals,
        { kind: 'set', key: 'agents', value: [{ role: 'builder', re_prompts }], after: 'completion_mode' },
      ]);
    }
  });

  test('the migration takes three fix cycles where the old number is none', () => {
    for (const max_iterations of [undefined, null, 0, -1, 1.5, '4']) {
      const config = {
        completion_mode: 'tests_pass',
        agents: [{}],
        ...(max_iterations === undefined ? {} : { max_iterations }),
      };
      expect(migrateRemoved(config)[1]).toMatchObject({ values: [testing(3)] });
    }
  });

  test('the mode agent_signals keeps its max_iterations, which was a cap already', () => {
    const config = { completion_mode: 'agent_signals', test_command: null, max_iterations: 4 };
    expect(migrateRemoved(config).map((edit) => 'key' in edit && edit.key)).toEqual(['test_command']);
  });
});
