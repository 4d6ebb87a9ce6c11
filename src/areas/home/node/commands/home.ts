import { costWords } from '@areas/spend/contract/table';
import { ok } from '@contract/result';
import type { RunRow } from '@contract/run/procedures';
import { resumeWords } from '@contract/time-words';
import { ask } from '@main/api/core-service';
import { type Context, command } from '@main/cli/command';
import { EXIT } from '@main/cli/exit';
import { columns, counted, shownName } from '@main/cli/output/columns';
import { dayAndTime, duration } from '@main/cli/output/time';
import { parkedRuns, parkedSection } from '@main/cli/running/parked-runs';
import type { Home } from '../../contract/procedures';

export const homeCommand = command({
  name: 'home',
  summary: 'Shows what ended, failed, waits and cost since you last looked.',
  words: '',
  least: 0,
  most: 0,
  more: 'The summary starts again when you pass --looked, or mark it as seen in the window. `muster inbox` shows all that needs you.',
  flags: { looked: { help: 'start the next summary from now' } },
  onlyAsks: true,
  async run(context, { flags }) {
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const home = await ask(link.value, 'home.get', {});
    if (!home.ok) return home;
    const parked = await parkedRuns(link.value);
    const document = { ...home.value, parked: parked.map(({ id }) => id) };
    context.out.document(document, () => lines(context, home.value, parked));
    if (flags.looked) {
      const marked = await ask(link.value, 'home.looked', { at: home.value.now });
      if (!marked.ok) return marked;
    }
    return ok(EXIT.ok);
  },
});

const money = (usd: number): string => `$${usd.toFixed(4)}`;

function lines({ out, again }: Context, home: Home, parked: readonly RunRow[]): string[] {
  const { since, now, lookedAt, running, needs, spend } = home;
  const runs = (rows: readonly RunRow[]): string[][] =>
    rows.map((row) => [
      String(row.id),
      row.reason ?? row.status,
      shownName(row.name),
      dayAndTime(row.finishedAt ?? row.at),
    ]);
  const sections: [string, string[][]][] = [
    ['Failed', runs(home.failed)],
    [
      'Needs you',
      [
        ...home.decisions.map((gate) => [
          `${gate.runId}/${gate.gateId}`,
          gate.title,
          shownName(gate.runName),
          duration(now - gate.openedAt),
        ]),
        ...home.replies.map(({ runId, member, round, runName, since: from }) => [
          String(runId),
          member === null ? 'the team is idle' : `${member} delivered round ${round}`,
          shownName(runName),
          duration(now - from),
        ]),
      ],
    ],
    parkedSection(parked),
    ['Ended', runs(home.ended)],
    [
      'Goes on by itself',
      home.waits.map(({ runId, what, runName, at }) => [
        String(runId),
        what,
        shownName(runName),
        resumeWords(at, now),
      ]),
    ],
  ];
  const from = lookedAt === null ? 'the last day' : dayAndTime(since);
  const cost = spend.totals.turns === 0 ? 'no usage' : `cost: ${costWords(spend.totals, money)}`;
  return [
    `Since ${from}: ${counted(running, 'run')} running, ${needs} waiting for you, ${cost}.`,
    ...sections
      .filter(([, rows]) => rows.length > 0)
      .flatMap(([title, rows]) => [
        '',
        out.style.bold(title),
        ...columns(rows, { indent: '  ', width: out.width }),
      ]),
    ...(home.more ? ['', `There are more: ${again('list')}`] : []),
  ];
}
