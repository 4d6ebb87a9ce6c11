import { ok } from '@contract/result';
import type { SystemStatus } from '@contract/system/procedures';
import { until } from '@contract/time-words';
import { ask } from '@main/api/core-service';
import { command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import type { Link } from '@main/cli/link/link';
import { columns, counted } from '@main/cli/output/columns';
import { dayAndTime } from '@main/cli/output/time';

export const statusCommand = command({
  name: 'status',
  summary: 'Shows what the running Muster is doing; code 7 if none is running.',
  words: '',
  least: 0,
  most: 0,
  flags: { dismiss: { help: 'dismiss the listed notices' } },
  onlyAsks: true,
  async run(context, { flags }) {
    const link = await context.open({ mode: 'attached' });
    if (!link.ok) return link;
    const status = await ask(link.value, 'system.status', {});
    if (!status.ok) return status;
    if (flags.dismiss === true)
      for (const { id } of status.value.notices) await ask(link.value, 'system.dismissNotice', { id });
    const api = link.value.apiAddress();
    context.out.document({ ...status.value, apiAddress: api }, () => lines(status.value, link.value));
    return ok(EXIT.ok);
  },
});

function lines({ core, store, live, spendToday, next, notices }: SystemStatus, link: Link): string[] {
  return [
    ...columns([
      ['core', `${core.state}, process ${core.pid ?? link.pid}, since ${dayAndTime(core.since)}`],
      ['store', `${store.state}${store.detail === null ? '' : `: ${store.detail}`}, ${store.path}`],
      [
        'live',
        [
          counted(live.runs, 'run'),
          counted(live.sessions, 'session'),
          counted(live.turns, 'turn'),
          counted(live.commands, 'command'),
        ].join(', '),
      ],
      ['gates', String(live.gates)],
      ['today', `${spendToday.tokens} tokens, ${todayCost(spendToday)}`],
      ...(next === null
        ? []
        : [
            [
              'next',
              `${until(next.at, Date.now())}, ${dayAndTime(next.at)}  ${next.what} (run ${next.runId})`,
            ],
          ]),
      ['http api', link.apiAddress() ?? 'off'],
    ]),
    ...notices.map(({ level, text }) => `${level}: ${text}`),
  ];
}

function todayCost({ costUsd, costUnreported }: SystemStatus['spendToday']): string {
  if (costUsd === 0 && costUnreported > 0) return 'cost not reported';
  return `$${costUsd.toFixed(4)}${costUnreported > 0 ? ` and ${counted(costUnreported, 'turn')} without a cost` : ''}`;
}
