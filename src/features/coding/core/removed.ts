import { isMap } from '@areas/workflows/contract/change';
import type { ConfigEdit } from '@areas/workflows/contract/migration';
import type { Json } from '@contract/ids';
import type { ModuleProblem } from '@main/core/step/module';

/** Completion modes that seed 000 section 2.3 removed. */
const REMOVED = ['tests_pass', 'iteration_limit'] as const;
type RemovedMode = (typeof REMOVED)[number];

const MEND = 'Migrate the file: `muster migrate FILE`, or the button in Workflows. The old file is kept.';

/** Number of attempts if the old definition did not set one. */
const FIX_CYCLES = 3;

type Raw = Readonly<Record<string, Json>>;
const modeOf = (config: Raw): RemovedMode | null =>
  REMOVED.find((mode) => mode === config.completion_mode) ?? null;

/**
 * Settings of earlier versions in the raw configuration: both removed completion modes, and `test_command`
 * with any value, including null.
 */
export function removedModes(rawConfig: unknown): ModuleProblem[] {
  if (!isMap(rawConfig)) return [];
  const mode = modeOf(rawConfig);
  const problems: ModuleProblem[] = [];
  if (mode !== null) {
    problems.push(removed('completion_mode', `the completion mode "${mode}" is no longer there`));
  }
  if (Object.hasOwn(rawConfig, 'test_command')) {
    const message =
      '"test_command" is no longer there: the agent runs the tests itself when a re-prompt asks for it';
    problems.push(removed('test_command', message));
  }
  return problems;
}

const removed = (path: string, message: string): ModuleProblem => ({
  code: 'validation.completion_mode_removed',
  severity: 'error',
  message,
  path,
  mend: MEND,
});

/**
 * Migrates such a configuration as in seed 000 section 9; empty if there is nothing to migrate. Every agent
 * gets the re-prompts after its own; without agents, a `builder` with the default profile gets them.
 */
export function migrateRemoved(rawConfig: unknown): ConfigEdit[] {
  if (!isMap(rawConfig)) return [];
  const mode = modeOf(rawConfig);
  const edits: ConfigEdit[] = [];
  if (mode !== null) {
    edits.push({ kind: 'set', key: 'completion_mode', value: 'agent_signals' });
    edits.push(...repromptEdits(rawConfig, repromptsFor(mode, rawConfig.max_iterations)));
  }
  if (Object.hasOwn(rawConfig, 'test_command')) {
    edits.push({ kind: 'drop', key: 'test_command', why: 'removed: the agent runs the tests itself' });
  }
  // It counted rounds of the old mode; as a cap on all of the step's prompts, the same number would be too
  // low.
  if (mode !== null && Object.hasOwn(rawConfig, 'max_iterations')) {
    const why = 'removed: it counted rounds, now it would cap all prompts of the step';
    edits.push({ kind: 'drop', key: 'max_iterations', why });
  }
  return edits;
}

function repromptsFor(mode: RemovedMode, max: Json | undefined): string[] {
  if (mode === 'iteration_limit') {
    return [
      'Review your implementation for completeness and correctness.',
      'Address any remaining issues and finalize.',
    ];
  }
  const cycles = typeof max === 'number' && Number.isInteger(max) && max > 0 ? max : FIX_CYCLES;
  return [
    `Run the tests for this project. If any tests fail, fix the issues and run the tests again. Repeat until all tests pass or you've attempted ${cycles} fix cycles.`,
  ];
}

function repromptEdits({ agents }: Raw, texts: readonly string[]): ConfigEdit[] {
  if (!Array.isArray(agents) || agents.length === 0) {
    // Anything but a list is a separate error, which the schema reports.
    if (agents !== undefined && agents !== null && !Array.isArray(agents)) return [];
    const builder = { role: 'builder', re_prompts: [...texts] };
    return [{ kind: 'set', key: 'agents', value: [builder], after: 'completion_mode' }];
  }
  return agents.flatMap((agent, index): ConfigEdit[] => {
    if (!isMap(agent)) return [];
    const reprompts = agent.re_prompts ?? [];
    return Array.isArray(reprompts)
      ? [{ kind: 'append', path: ['agents', index, 're_prompts'], values: texts }]
      : [];
  });
}
