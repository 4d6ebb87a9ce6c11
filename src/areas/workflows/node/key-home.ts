import type { Problem } from '@contract/errors';
import { stepDefinitionSchema, workflowDefinitionSchema } from '../contract/definition';

const isIn = (schema: { unwrap(): { readonly shape: object } }, key: string): boolean =>
  Object.hasOwn(schema.unwrap().shape, key);

/** Where a key belongs that is unknown where it is written; null if nothing of the language has it. */
function homeOf(path: string): string | null {
  const key = /[^.\]]+$/.exec(path)?.[0] ?? '';
  const ofStep = isIn(stepDefinitionSchema, key);
  const ofWorkflow = isIn(workflowDefinitionSchema, key);
  if (/(?:^|\.)config\.[^.[]+$/.test(path) && ofStep) return 'the step has that key: write it beside config';
  if (/\]\.(?:config\.)?[^.[]+$/.test(path) && ofWorkflow)
    return 'the workflow has that key: write it at the top of the file, beside steps';
  if (path === key && ofStep) return 'a step has that key: write it in the step';
  return null;
}

/** An unknown key that belongs elsewhere is told where. */
export function withKeyHome(problem: Problem): Problem {
  const { code, mend, where } = problem;
  if (code !== 'validation.unknown_key' || mend !== undefined) return problem;
  const home = homeOf(where?.path ?? '');
  return home === null ? problem : { ...problem, mend: home };
}
