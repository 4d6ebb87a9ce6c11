import { resolve } from 'node:path';
import { PROMPTS_VARIABLE, type PromptFolder } from '@areas/prompts/contract/folders';
import type { Context } from '../command';

/** The flag of every command that starts a run or reads prompt texts. */
export const promptsFlag = {
  prompts: {
    value: 'DIR',
    help: `a folder of prompt texts that replaces the project’s; default: the folder in ${PROMPTS_VARIABLE}`,
  },
} as const;

/** The folders named by flag and environment; the flag's comes first. */
export function promptFolders(
  { cwd, env }: Pick<Context, 'cwd' | 'env'>,
  flag: string | undefined,
): PromptFolder[] {
  const variable = env[PROMPTS_VARIABLE] || undefined;
  return [
    ...(flag === undefined ? [] : [{ path: resolve(cwd, flag), from: 'flag' } as const]),
    ...(variable === undefined ? [] : [{ path: resolve(cwd, variable), from: 'variable' } as const]),
  ];
}
