import type { Problem } from '@contract/errors';
import { type Finding, findingsOf } from '@contract/findings';
import type { z } from 'zod';
import type { ModuleProblem } from '../../step/module';

/** The schema's problems, except for keys already reported: each problem is reported once. */
export function schemaProblems(
  error: z.ZodError,
  { id, path, refused }: { id: string; path: string; refused: readonly Problem[] },
): Problem[] {
  const known = new Set(refused.map((found) => found.where?.path));
  return findingsOf(error)
    .map((one) => {
      const code = one.unknownKey === null ? 'validation.config' : 'validation.unknown_key';
      const at = one.path === '' || one.path.startsWith('[') ? one.path : `.${one.path}`;
      return problem(code, `step "${id}": ${sentenceOf(one)}`, `${path}.config${at}`);
    })
    .filter((one) => !known.has(one.where?.path));
}

/** Names what is missing, since the line shown is that of the parent. */
const sentenceOf = ({ path, message }: Finding): string =>
  message.startsWith('is missing') && path !== '' ? `"${path}" ${message}` : message;

/** A module's problem, with its place in the document. */
export function placed({ path, ...found }: ModuleProblem, id: string, base: string): Problem {
  return {
    ...found,
    message: `step "${id}": ${found.message}`,
    where: { path: path === undefined ? base : `${base}.${path}` },
  };
}

export function problem(code: Problem['code'], message: string, path: string): Problem {
  return { code, message, severity: 'error', where: { path } };
}
