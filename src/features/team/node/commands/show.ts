import { ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import { numberFlag, wholeNumber } from '@main/cli/arguments/flag-values';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';
import type { TeamCall } from './flags';
import { followChat } from './follow-chat';
import { teamAt } from './place';
import { memberLines, messageLines, taskLines, teamCells } from './text';

type Done = Promise<Result<ExitCode>>;

export async function listTeams(context: Context, { flags }: TeamCall): Done {
  const limit = numberFlag('limit', flags.limit, wholeNumber(1, 1000));
  if (!limit.ok) return limit;
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const teams = await ask(link.value, 'team.list', { limit: limit.value ?? 40 });
  if (!teams.ok) return teams;
  const { out } = context;
  out.document({ teams: teams.value.rows }, () =>
    teams.value.rows.length === 0
      ? ['No teams.']
      : columns(teams.value.rows.map(teamCells), { width: out.width }),
  );
  return ok(EXIT.ok);
}

export async function showMembers(context: Context, { words }: TeamCall): Done {
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const found = await teamAt(link.value, words[1] ?? '');
  if (!found.ok) return found;
  const { row } = found.value;
  context.out.document(row, () => memberLines(row.members, Date.now(), context.out.width));
  return ok(EXIT.ok);
}

export async function showTasks(context: Context, address: string): Done {
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const found = await teamAt(link.value, address);
  if (!found.ok) return found;
  const { team } = found.value;
  context.out.document({ tasks: Object.values(team.tasks) }, () => taskLines(team, context.out.width));
  return ok(EXIT.ok);
}

export async function showMessages(context: Context, { words, flags }: TeamCall): Done {
  const limit = numberFlag('limit', flags.limit, wholeNumber(1, 500));
  if (!limit.ok) return limit;
  const link = await context.open({ mode: flags.follow ? 'attached' : 'reading' });
  if (!link.ok) return link;
  const found = await teamAt(link.value, words[1] ?? '');
  if (!found.ok) return found;
  const { place, state } = found.value;
  const thread = flags.thread ?? null;
  const page = await ask(link.value, 'team.messages', { ...place, thread, limit: limit.value ?? 50 });
  if (!page.ok) return page;
  const { out } = context;
  if (!flags.follow) {
    out.document(page.value, () =>
      page.value.messages.length === 0
        ? ['No messages yet.']
        : page.value.messages.flatMap((message) => messageLines(message, out.style, thread)),
    );
    return ok(EXIT.ok);
  }
  for (const message of page.value.messages)
    out.record({ kind: 'message', message }, () => messageLines(message, out.style, thread));
  return followChat(context, { link: link.value, place, thread, afterSeq: state.seq });
}
