import { ok } from '@contract/result';
import { ask } from '@main/api/core-service';
import { numberFlag, wholeNumber } from '@main/cli/arguments/flag-values';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { columns } from '@main/cli/output/columns';
import type { Output } from '@main/cli/output/output';
import { dayAndTime } from '@main/cli/output/time';
import type { DeliveryRow } from '../../contract/procedures';

export const deliveriesCommand = command({
  name: 'deliveries',
  summary: 'Lists deliveries of updates, newest first, or retries them.',
  words: '',
  least: 0,
  most: 0,
  flags: {
    target: { value: 'ID', help: 'only for this target' },
    limit: { value: 'N', help: 'the number of rows (default 30, at most 500)' },
    retry: { value: 'N', help: 'retry delivery N now' },
    'retry-target': { value: 'ID', help: 'retry all waiting and failed deliveries of a target now' },
  },
  async run(context, { flags }) {
    const retries = flags.retry !== undefined || flags['retry-target'] !== undefined;
    const link = await context.open({ mode: retries ? 'working' : 'reading' });
    if (!link.ok) return link;
    if (retries) {
      const id = numberFlag('retry', flags.retry, wholeNumber());
      if (!id.ok) return id;
      const which = id.value === undefined ? { target: flags['retry-target'] ?? '' } : { id: id.value };
      const tried = await ask(link.value, 'delivery.retry', which);
      if (!tried.ok) return tried;
      context.out.document(tried.value, () => [`Retrying ${tried.value.count}.`]);
      return ok(EXIT.ok);
    }
    const limit = numberFlag('limit', flags.limit, wholeNumber(1, 500));
    if (!limit.ok) return limit;
    const listed = await ask(link.value, 'delivery.list', { target: flags.target, limit: limit.value ?? 30 });
    if (!listed.ok) return listed;
    context.out.document(listed.value, () => lines(listed.value.rows, context.out));
    return ok(EXIT.ok);
  },
});

function lines(rows: readonly DeliveryRow[], { style, width }: Output): string[] {
  if (rows.length === 0) return ['No deliveries.'];
  const head = ['N', 'TARGET', 'STATE', 'TRIES', 'QUEUED', 'RUN', 'ABOUT'].map(style.dim);
  const table = rows.map((row) => [
    String(row.id),
    row.target,
    row.state === 'given_up' ? 'given up' : row.state,
    String(row.attempts),
    dayAndTime(row.queuedAt),
    row.runName,
    row.error ?? row.receipt ?? '',
  ]);
  return columns([head, ...table], { width });
}
