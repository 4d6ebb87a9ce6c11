import { artifactsFolder } from '@contract/run/artifacts-folder';
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
      return state.references?.docsDir ?? null;
    case 'BASE_BRANCH':
      return state.references?.baseBranch ?? null;
    default:
      return null;
  }
}

/**
 * Values that differ between runs, for the environment of agents and commands and the programs they start.
 */
export const runEnvironment = (state: RunState): Readonly<Record<string, string>> => ({
  ARTIFACTS_DIR: artifactsFolder(state.artifactsDir),
  WORKFLOW_ID: state.uid,
});
