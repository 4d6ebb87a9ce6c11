import { isDeepStrictEqual } from 'node:util';
import type { WorkflowDefinition } from '@areas/workflows/contract/definition';
import type { WorkflowFiles } from '@areas/workflows/node/workflow-files';
import { appError } from '@contract/errors';
import type { ParsedInput } from '@contract/ipc';
import { setOwnValue } from '@contract/own';
import { err, fail, ok, type Result } from '@contract/result';
import type { RunEvent } from '@contract/run/events';
import type { RunState } from '@contract/run/state';
import { folderOf, placeOf } from '@main/core/engine/effects/workspace-effects';
import type { Plan } from '@main/core/engine/plan/plan';
import { adoptBefore, type FolderThen } from '@main/core/engine/resume/adopted-results';
import type { Workspaces } from '@main/core/ports/workspaces/workspaces';

/** The start of a run that adopts another run's results before a step. */
interface Again {
  readonly plan: Plan;
  readonly inputs: Record<string, string>;
  readonly again: NonNullable<RunState['again']>;
  readonly adopted: readonly RunEvent[];
  /** The folder of the earlier run, which has the large texts of its results. */
  readonly textsFrom: string;
}

interface AgainParts {
  readonly files: Pick<WorkflowFiles, 'planOfRun'>;
  readonly workspaces: Pick<Workspaces, 'keptSnapshot'>;
}

type Input = Pick<ParsedInput<'run.again'>, 'step' | 'instruction' | 'inputs' | 'config'>;

/** Prepares a run that starts at a step of an ended one. Writes nothing. */
export async function againFrom(parts: AgainParts, state: RunState, input: Input): Promise<Result<Again>> {
  const edited = editedDefinition(state, input);
  if (!edited.ok) return edited;
  const planned = await parts.files.planOfRun(state, edited.value);
  if (!planned.ok) return planned;
  const plan = planned.value;
  const adoption = adoptBefore(state, plan, input.step);
  if (!adoption.ok) return adoption;
  const folder = await folderFor(parts, state, { found: adoption.value.folder, step: input.step });
  if (!folder.ok) return folder;
  const profiles = Object.values(state.sessions).map(({ key, profileId }) => [key, profileId] as const);
  const sessions: Record<string, string> = {};
  for (const [key, profile] of [...Object.entries(state.again?.sessions ?? {}), ...profiles])
    setOwnValue(sessions, key, profile);
  return ok({
    plan,
    inputs: { ...inputsOf(state), ...input.inputs },
    again: { uid: state.uid, step: input.step, folder: folder.value, sessions },
    adopted: adoption.value.events,
    textsFrom: state.artifactsDir,
  });
}

/** The inputs' values, without empty ones. */
const inputsOf = ({ references }: RunState): Record<string, string> =>
  Object.fromEntries(Object.entries(references.inputs).filter(([, value]) => value !== ''));

/** The frozen definition with the operator's changes to one step. */
function editedDefinition({ definition }: RunState, input: Input): Result<WorkflowDefinition> {
  const { step: wanted, instruction, config } = input;
  const step = definition.steps.find(({ id }) => id === wanted);
  // `adoptBefore` reports what is wrong with the step.
  if (step === undefined) return ok(definition);
  if (instruction !== undefined && typeof step.config.instruction !== 'string')
    return fail('input.invalid', `${step.title ?? step.id} has no instruction`, {
      mend: 'Change its configuration instead.',
    });
  const next = { ...step.config, ...config, ...(instruction === undefined ? {} : { instruction }) };
  if (isDeepStrictEqual(next, step.config)) return ok(definition);
  const steps = definition.steps.map((one) => (one.id === wanted ? { ...one, config: next } : one));
  return ok({ ...definition, steps });
}

interface FolderWanted {
  readonly found: FolderThen;
  readonly step: string;
}

type Folder = NonNullable<RunState['again']>['folder'];

async function folderFor(
  parts: AgainParts,
  state: RunState,
  { found, step }: FolderWanted,
): Promise<Result<Folder>> {
  if (found.kind === 'fresh') return ok(null);
  if (state.workspaceMode === 'project')
    return err(
      gone(
        'The run worked in your own checkout, which Muster does not reset to the start of the step.',
        step,
      ),
    );
  const { artifactsDir } = state;
  if (found.kind === 'gone') return err(gone(found.why, step));
  if (found.kind === 'base') return ok({ commit: found.commit, head: found.commit, artifactsDir });
  const place = placeOf(state, folderOf(state, found.place));
  const snapshot = await parts.workspaces.keptSnapshot(place, found.snapshot);
  if (snapshot === null) return err(gone('The snapshot of the folder at that point is gone.', step));
  return ok({ ...snapshot, artifactsDir });
}

const gone = (why: string, step: string) =>
  appError('workspace.snapshot_gone', `The run cannot start again at ${step}. ${why}`, {
    mend: 'Start the workflow from its beginning, or choose an earlier step.',
  });
