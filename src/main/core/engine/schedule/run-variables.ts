import { artifactsFolder } from '@contract/run/results/artifacts-folder';
import type { RunState } from '@contract/run/state';

/** A built-in variable of a run; null if none has that name. */
export function runVariable(state: RunState, name: string): string | null {
  switch (name) {
    case 'ARGUMENTS':
      return state.instruction;
    case 'WORKFLOW_ID':
      return state.uid;
    case 'ARTIFACTS_DIR':
      return artifactsFolder(state.artifactsDir);
    case 'DOCS_DIR':
      return state.references.docsDir;
    case 'BASE_BRANCH':
      return state.references.baseBranch;
    default:
      return null;
  }
}

/** What differs from run to run, for the environment of each agent and command, so that programs they start know it. */
export const runEnvironment = (state: RunState): Record<string, string> => ({
  ARTIFACTS_DIR: artifactsFolder(state.artifactsDir),
  WORKFLOW_ID: state.uid,
  ...(state.projectSettings?.hooks === 'never' && state.workspaceMode === 'worktree' ? WITHOUT_HOOKS : {}),
});

/** For every git in the environment, without a change of the repository. */
const WITHOUT_HOOKS = {
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'core.hooksPath',
  GIT_CONFIG_VALUE_0: '/dev/null',
};
