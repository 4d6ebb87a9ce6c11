import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import type { WorkflowDefinition } from '@areas/workflows/contract/definition';
import type { Problem } from '@contract/errors';
import { ownValue } from '@contract/own';
import type { BoundStep } from '../../step/module';
import { problem } from './problems';
import type { PlanContext } from './types';

interface HostedSteps {
  bound(id: string): BoundStep | null;
  readonly context: Pick<PlanContext, 'profiles' | 'defaultProfile'>;
  /** The workflow is called by another one. */
  readonly called: boolean;
}

/**
 * Steps share the run's folder, so they share its host: it is named once, for the workflow. What does not run there is
 * refused instead of running here.
 */
export function hostProblems(
  definition: WorkflowDefinition,
  { bound, context, called }: HostedSteps,
): Problem[] {
  const { host, workspace, worktree } = definition;
  if (host === undefined) return [];
  if (called)
    return [
      refused(
        'a called workflow runs on the host of the workflow that calls it',
        'host',
        'remove "host" here',
      ),
    ];
  const problems: Problem[] = [];
  if (workspace !== 'worktree')
    problems.push(
      refused(
        `host "${host}": only a worktree can be on a host, not "${workspace}"`,
        'workspace',
        'use "worktree"',
      ),
    );
  for (const key of ['setup', 'teardown', 'copy'] as const)
    if (worktree?.[key] !== undefined && worktree[key].length > 0)
      problems.push(
        refused(
          `host "${host}": worktree.${key} does not work on a host yet`,
          `worktree.${key}`,
          'let a command step do it',
        ),
      );
  definition.steps.forEach(({ id, type }, index) => {
    const step = bound(id);
    const why = step === null ? null : (step.notOnHost ?? agentNotThere(step, context));
    if (why === null) return;
    problems.push(
      refused(
        `step "${id}" (${type}) cannot run on the host "${host}": ${why}`,
        `steps[${index}]`,
        'remove "host", or put the step into a workflow of its own',
      ),
    );
  });
  return problems;
}

/** Why one of its agents cannot run there. An agent that is missing is reported by itself. */
function agentNotThere(
  { agents }: BoundStep,
  { profiles, defaultProfile }: HostedSteps['context'],
): string | null {
  for (const { profileId } of agents) {
    const profile = ownValue(profiles, profileId ?? defaultProfile ?? '');
    if (profile !== undefined && !capabilitiesOf(profile).worksOnHosts)
      return `the agent "${profile.name}" does not run there yet; use one that speaks the Agent Client Protocol`;
  }
  return null;
}

const refused = (message: string, path: string, mend: string): Problem => ({
  ...problem('validation.config', message, path),
  mend,
});
