import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import type { Context } from '@main/cli/command';
import type { ExitCode } from '@main/cli/exit';
import type { z } from 'zod';
import type { conflictDecisionSchema } from '../../contract/procedures';
import type { MergeState } from '../../contract/state';
import { act } from './act';
import type { TeamCall } from './flags';

type Choices = Record<string, z.output<typeof conflictDecisionSchema>>;

/** Requests the merge of a member's work, confirms the rehearsed one, or declines it. */
export async function merge(context: Context, { words, flags }: TeamCall): Promise<Result<ExitCode>> {
  const [, address = '', member = ''] = words;
  const choices = await choicesOf(context, flags);
  if (!choices.ok) return choices;
  return act(context, {
    address,
    flags,
    work: async (link, { place, team }) => {
      const last = Object.values(team.merges).findLast((one) => one.member === member);
      const mergeId = last?.id ?? 0;
      if (flags.decline && last !== undefined) return ask(link, 'team.mergeDecline', { ...place, mergeId });
      const decided = flags.yes || Object.keys(choices.value).length > 0;
      if (!decided || last?.status !== 'rehearsed') return ask(link, 'team.merge', { ...place, member });
      const unknown = unknownFile(last, choices.value);
      if (unknown !== null) return unknown;
      return ask(link, 'team.mergeConfirm', { ...place, mergeId, choices: choices.value });
    },
  });
}

async function choicesOf({ cwd }: Context, flags: TeamCall['flags']): Promise<Result<Choices>> {
  const taken = (['ours', 'theirs', 'both'] as const).flatMap((take) =>
    flags[take].map((path) => [path, { take }] as const),
  );
  const byHand: [string, Choices[string]][] = [];
  for (const pair of flags['by-hand']) {
    const [, path, file] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
    if (path === undefined || file === undefined)
      return fail('input.invalid', `--by-hand ${pair}: it must be FILE=TEXT_FILE`);
    const text = await readFile(resolve(cwd, file), 'utf8').catch((cause: unknown) => ({ cause }));
    if (typeof text !== 'string') return fail('not_found', `${file} cannot be read: ${String(text.cause)}`);
    byHand.push([path, { take: 'by_hand', text }]);
  }
  const all = [...taken, ...byHand];
  const paths = all.map(([path]) => path);
  const twice = paths.find((path, index) => paths.indexOf(path) < index);
  return twice === undefined
    ? ok(Object.fromEntries(all))
    : fail('input.invalid', `${twice} has two resolutions`);
}

/** A choice for a file without a conflict. */
function unknownFile({ rehearsal }: MergeState, choices: Choices): Result<never> | null {
  const conflicts = (rehearsal?.conflicts ?? []).map(({ path }) => path);
  const unknown = Object.keys(choices).find((path) => !conflicts.includes(path));
  if (unknown === undefined) return null;
  const mend = `in conflict: ${conflicts.join(', ') || 'nothing'}`;
  return fail('input.invalid', `${unknown} is not in conflict`, { mend });
}
