import { type WorktreeSettings, worktreeSchema } from '@areas/workflows/contract/definition';
import { requiredText } from '@contract/bounds';
import { lazyStrictObject } from '@contract/lazy-object';
import { z } from 'zod';

/** `.muster/project.yaml`: what holds for every run of the project, of whatever kind. */
export const projectSettingsSchema = lazyStrictObject(() => ({
  worktree: worktreeSchema.optional(),
  /** Whether commits that Muster makes in the operator's history are signed, as git is configured. */
  sign: z.enum(['as-configured', 'never']).optional(),
  /** Whether git runs the repository's hooks when agents and commands use it in a worktree. */
  hooks: z.enum(['as-configured', 'never']).optional(),
}));
export type ProjectSettings = z.infer<typeof projectSettingsSchema>;

export const PROJECT_SETTINGS_FILE = '.muster/project.yaml';

/** What the operator changes in them; everything else of the file stays. */
export const settingsChangeSchema = lazyStrictObject(() => ({
  copy: z.array(requiredText()).optional(),
  /** Null: none. */
  setup: requiredText().nullable().optional(),
  teardown: requiredText().nullable().optional(),
  submodules: z.boolean().optional(),
  sign: z.enum(['as-configured', 'never']).optional(),
  hooks: z.enum(['as-configured', 'never']).optional(),
}));
export type SettingsChange = z.infer<typeof settingsChangeSchema>;

/** How a run's worktrees are set up. */
interface WorktreeSetup {
  readonly copy: readonly string[];
  readonly setup: string | null;
  readonly teardown: string | null;
  readonly submodules: boolean;
}

/** The settings of the project; what a workflow says itself takes their place, but files to copy are added. */
export function worktreeSetup(
  project: ProjectSettings | undefined,
  workflow: WorktreeSettings | undefined,
): WorktreeSetup {
  const of = project?.worktree;
  return {
    copy: [...new Set([...(of?.copy ?? []), ...(workflow?.copy ?? [])])],
    setup: workflow?.setup ?? of?.setup ?? null,
    teardown: workflow?.teardown ?? of?.teardown ?? null,
    submodules: workflow?.submodules ?? of?.submodules ?? true,
  };
}
