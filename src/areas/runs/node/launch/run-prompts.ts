import type { PromptFolder } from '@areas/prompts/contract/folders';
import type { PromptLibrary } from '@areas/prompts/node/prompt-library';
import { ok, type Result } from '@contract/result';
import type { RunEventOf } from '@contract/run/events';
import type { Plan } from '@main/core/engine/plan/plan';
import { allSteps } from '@main/core/engine/plan/tree';

interface PromptPlace {
  readonly projectPath: string;
  /** Override the project's. */
  readonly folders: readonly PromptFolder[] | undefined;
}

/** The current texts that the steps name, and the source files of those that are not Muster's own. */
export async function freezePrompts(
  library: Pick<PromptLibrary, 'loadAll'>,
  plan: Plan,
  { projectPath, folders }: PromptPlace,
): Promise<Result<Pick<RunEventOf<'run.started'>, 'prompts' | 'promptFiles'>>> {
  const named = new Set(allSteps(plan).flatMap((step) => [...step.bound.prompts]));
  if (named.size === 0) return ok({});
  const loaded = await library.loadAll(projectPath, folders);
  if (!loaded.ok) return loaded;
  const known = Object.entries(loaded.value).filter(([id]) => named.has(id));
  const files = known.filter(([, { source }]) => source !== 'builtin' && source !== 'none');
  return ok({
    prompts: Object.fromEntries(known.map(([id, { text }]) => [id, text])),
    ...(files.length === 0
      ? {}
      : { promptFiles: Object.fromEntries(files.map(([id, { file }]) => [id, file])) }),
  });
}
