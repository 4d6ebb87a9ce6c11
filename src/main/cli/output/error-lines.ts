import type { AppError, Problem } from '@contract/errors';

const placeOf = ({ where }: AppError): string => {
  if (where === undefined) return '';
  const line =
    where.line === undefined ? '' : `:${where.line}${where.column === undefined ? '' : `:${where.column}`}`;
  const file = where.file === undefined ? '' : `${where.file}${line}`;
  const path = where.path === undefined || where.path === '' ? '' : where.path;
  return [file, path].filter((part) => part !== '').join('  ');
};

/** What happened, where, and the remedy. */
export function errorLines(error: AppError): string[] {
  const place = placeOf(error);
  return [
    `muster: ${error.message}`,
    ...(place === '' ? [] : [`  where: ${place}`]),
    ...(error.mend === undefined ? [] : [`  hint:  ${error.mend}`]),
  ];
}

/** In the format of compilers, which editors can jump to. */
export function problemLines(problem: Problem, file: string): string[] {
  const { line, column, path } = problem.where ?? {};
  const place = [problem.where?.file ?? file, line, line === undefined ? undefined : column].filter(
    (part) => part !== undefined,
  );
  const inside = path === undefined || path === '' ? '' : ` (${path})`;
  return [
    `${place.join(':')}: ${problem.severity}: ${problem.message}${inside} [${problem.code}]`,
    ...(problem.mend === undefined ? [] : [`    hint: ${problem.mend}`]),
  ];
}
