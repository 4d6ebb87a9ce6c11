import { fail, ok, type Result } from '@contract/result';
import { ask } from '@main/api/core-service';
import type { Context } from '@main/cli/command';
import { EXIT, type ExitCode } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';
import { duration } from '@main/cli/output/time';
import { queuedMessages } from '../../contract/lanes/queue';
import { act } from './act';
import type { TeamCall } from './flags';
import { teamAt } from './place';

/** The operator's own undelivered messages: each can be changed or withdrawn. */
export async function showQueue(context: Context, { words, flags }: TeamCall): Promise<Result<ExitCode>> {
  const link = await context.open({ mode: 'reading' });
  if (!link.ok) return link;
  const found = await teamAt(link.value, words[1] ?? '');
  if (!found.ok) return found;
  const { team, row } = found.value;
  const ended = new Set(row.members.filter((member) => member.ended).map(({ name }) => name));
  const queued = queuedMessages(team, flags.thread ?? null, ended);
  const { out } = context;
  out.document({ queue: queued.map(({ message, to }) => ({ ...message, waitsFor: to })) }, () =>
    queued.length === 0
      ? ['No undelivered messages.']
      : columns(
          [
            ['N', 'WAITS FOR', 'SINCE', 'TEXT'].map(out.style.dim),
            ...queued.map(({ message, to }) => [
              String(message.id),
              to.join(', '),
              duration(Date.now() - message.at),
              message.text.split('\n')[0] ?? '',
            ]),
          ],
          { width: out.width },
        ),
  );
  return ok(EXIT.ok);
}

const numberIn = (word = ''): Result<number> =>
  /^[1-9]\d{0,8}$/.test(word)
    ? ok(Number(word))
    : fail('input.invalid', `"${word}" is not a message number`, {
        mend: 'muster team queue RUN lists them',
      });

export async function editMessage(context: Context, { words, flags }: TeamCall): Promise<Result<ExitCode>> {
  const [, address = '', number, given = ''] = words;
  const messageId = numberIn(number);
  if (!messageId.ok) return messageId;
  const text = given === '-' ? await context.readInput() : given;
  return act(context, {
    address,
    flags,
    work: async (link, { place }) => {
      const done = await ask(link, 'team.edit', { ...place, messageId: messageId.value, text });
      return done.ok ? ok({ text: `Message ${messageId.value} was changed.` }) : done;
    },
  });
}

export async function withdrawMessage(
  context: Context,
  { words, flags }: TeamCall,
): Promise<Result<ExitCode>> {
  const [, address = '', number] = words;
  const messageId = numberIn(number);
  if (!messageId.ok) return messageId;
  return act(context, {
    address,
    flags,
    work: async (link, { place }) => {
      const done = await ask(link, 'team.withdraw', { ...place, messageId: messageId.value });
      return done.ok ? ok({ text: `Message ${messageId.value} was withdrawn.` }) : done;
    },
  });
}
