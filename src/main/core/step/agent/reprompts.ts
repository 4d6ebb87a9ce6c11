import type { TemplateField } from '@areas/workflows/core/reference/templates';
import { type AppError, appError } from '@contract/errors';
import { z } from 'zod';
import type { ModuleProblem } from '../module';

/**
 * A re-prompt is a string, or a text with files for that turn only; without files it is saved as a string.
 */
export const repromptSchema = z.lazy(() =>
  z.union([z.string(), z.strictObject({ text: z.string(), attachments: z.array(z.string()).default([]) })]),
);
export type Reprompt = z.infer<typeof repromptSchema>;

export const repromptText = (entry: Reprompt): string => (typeof entry === 'string' ? entry : entry.text);
export const repromptFiles = (entry: Reprompt): readonly string[] =>
  typeof entry === 'string' ? [] : entry.attachments;

/** The editor's limit; the executor sends all (SPEC "Re-prompts"). */
const MOST_REPROMPTS = 10;

/** Problems of a chain of re-prompts at `path` in a step's configuration. */
export function validateReprompts(entries: readonly Reprompt[], path = 're_prompts'): ModuleProblem[] {
  const problems: ModuleProblem[] = [];
  entries.forEach((entry, index) => {
    if (repromptText(entry).trim() === '') {
      problems.push({
        code: 'validation.reprompt_empty',
        severity: 'error',
        message: `re-prompt ${index + 1} is empty`,
        path: `${path}[${index}]`,
        mend: 'write a text or remove the entry',
      });
    }
  });
  if (entries.length > MOST_REPROMPTS) {
    problems.push({
      code: 'validation.reprompt_too_many',
      severity: 'warning',
      message: `${entries.length} re-prompts; agents rarely follow more than ${MOST_REPROMPTS} well`,
      path,
    });
  }
  return problems;
}

/** A cap below the number of prompts in one pass could never be met. */
export function validateCap(cap: number | undefined, needed: number): ModuleProblem[] {
  if (cap === undefined || cap >= needed) return [];
  return [
    {
      code: 'validation.max_iterations',
      severity: 'error',
      message: `max_iterations is ${cap}, but one pass needs ${needed} prompts`,
      path: 'max_iterations',
      mend: `set it to ${needed} or more, or remove re-prompts`,
    },
  ];
}

/** The error of a step that may send no more prompts; null if it may. */
export function capReached(
  cap: number | undefined,
  { sent, answered, of }: { sent: number; answered: number; of: number },
): AppError | null {
  if (cap === undefined || sent < cap) return null;
  const message = `the cap of ${cap} prompts was reached after ${answered} of ${of} turns were answered`;
  return appError('step.max_iterations', message);
}

export const REPROMPT_TEMPLATES: readonly TemplateField[] = [
  { path: 're_prompts[]', kind: 'text' },
  { path: 're_prompts[].text', kind: 'text' },
];
/** The texts of a chain in which references are expanded. */
export const CHAIN_TEMPLATES: readonly TemplateField[] = [
  { path: 'instruction', kind: 'text' },
  ...REPROMPT_TEMPLATES,
];

/** The files of a step's instruction and re-prompts, with their path in the configuration. */
export function chainFiles(config: {
  readonly attachments: readonly string[];
  readonly re_prompts: readonly Reprompt[];
}): { file: string; path: string }[] {
  return [
    ...config.attachments.map((file, index) => ({ file, path: `attachments[${index}]` })),
    ...config.re_prompts.flatMap((entry, index) =>
      repromptFiles(entry).map((file, at) => ({ file, path: `re_prompts[${index}].attachments[${at}]` })),
    ),
  ];
}

/**
 * All responses in the format of seed 000 section 4.1: separators alone on a line, joined by single newlines.
 */
export function mergeResponses(responses: readonly string[]): string {
  return responses
    .map((response, index) => (index === 0 ? response : `───── Re-prompt ${index} ─────\n${response}`))
    .join('\n');
}
