import { z } from 'zod';
import { whole } from './bounds';
import { lazyObject } from './lazy-object';

/** The closed set of error codes. A code names the kind of failure; the message describes the case. */
export const errorCodeSchema = z.enum([
  'input.invalid',
  'not_found',
  'conflict',
  'unavailable',
  'internal',
  'cancelled',
  'validation.failed',
  'validation.yaml',
  'validation.unknown_key',
  'validation.unknown_step_type',
  'validation.config',
  'validation.duplicate_id',
  'validation.cycle',
  'validation.unknown_port',
  'validation.dangling_cable',
  'validation.cable_type',
  'validation.reprompt_empty',
  'validation.reprompt_too_many',
  'validation.completion_mode_removed',
  'validation.agent_missing',
  'validation.coding_agents',
  'team.cleanup_refused',
  'team.limit',
  'team.member_ended',
  'team.name_taken',
  'team.not_allowed',
  'team.not_released',
  'team.task_blocked',
  'team.task_foreign',
  'team.task_unknown',
  'team.unknown_member',
  'validation.profile_unknown',
  'validation.file_missing',
  'validation.session_continue',
  'validation.max_iterations',
  'validation.named_output',
  'validation.output_format',
  'validation.prompt_file',
  'validation.prompt_placeholder',
  'validation.prompt_text',
  'validation.condition',
  'validation.reference',
  'validation.reference_upstream',
  'validation.reference_field',
  'validation.script_quotes',
  'validation.script_eval',
  'edit.no_place',
  'edit.refused',
  'edit.shared',
  'project.not_a_folder',
  'project.not_a_repository',
  'project.not_writable',
  'workspace.failed',
  'workspace.snapshot_failed',
  'workspace.snapshot_gone',
  'workspace.unreadable',
  'agent.not_installed',
  'agent.start_failed',
  'agent.auth_required',
  'agent.protocol',
  'agent.crashed',
  'agent.key_refused',
  'agent.limit',
  'agent.quota',
  'agent.overloaded',
  'agent.unreachable',
  'agent.stream_broken',
  'agent.refused',
  'agent.failed',
  'agent.not_allowed',
  'agent.timeout',
  'agent.max_requests',
  'command.failed',
  'step.max_iterations',
  'step.failed',
  'step.timeout',
  'step.output_invalid',
  'step.output_too_large',
  'store.disk_full',
  'store.locked',
  'store.newer',
  'store.damaged',
  'store.failed',
  'store.invalid_event',
  'answer.invalid',
  'answer.expired',
  'answer.used',
  'answer.withdrawn',
  'answer.not_allowed',
  'answer.too_many',
  'gate.already_resolved',
  'gate.changed',
  'gate.bad_answer',
  'run.not_resumable',
  'run.finished',
  'run.result_changed',
  'import.invalid',
  'reference.unknown_step',
  'reference.not_run',
  'reference.producer_failed',
  'reference.not_json',
  'reference.undeclared_field',
  'reference.missing_field',
  'reference.not_a_number',
  'reference.no_value',
  'reference.nul',
  'reference.cut',
  'reference.unreadable',
  'secret.missing',
]);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

/**
 * Where the cause is: a file with a line, or a path in a document such as `steps[2].config.re_prompts[0]`.
 */
export const errorPlaceSchema = lazyObject(() => ({
  file: z.string().optional(),
  line: whole().optional(),
  column: whole().optional(),
  path: z.string().optional(),
  /** The id of the run that causes it. */
  run: whole().optional(),
  /** The id of the agent profile that is missing. */
  profile: z.string().optional(),
}));

/** An error for a reader: what happened (`message`), where (`where`) and how to fix it (`mend`). */
export const appErrorSchema = lazyObject(() => ({
  code: errorCodeSchema,
  message: z.string(),
  where: errorPlaceSchema.optional(),
  mend: z.string().optional(),
}));
export type AppError = z.infer<typeof appErrorSchema>;

/** A validation result. Errors prevent a run from starting; warnings do not. */
export const problemSchema = z.lazy(() =>
  appErrorSchema.unwrap().extend({ severity: z.enum(['error', 'warning']) }),
);
export type Problem = z.infer<typeof problemSchema>;

export function appError(
  code: ErrorCode,
  message: string,
  more: Omit<AppError, 'code' | 'message'> = {},
): AppError {
  return { code, message, ...more };
}
