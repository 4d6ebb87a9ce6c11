import { columns } from '@main/cli/output/columns';
import type { Output } from '@main/cli/output/output';
import type { Check } from '../../contract/forge';
import type { PullRecord } from '../../contract/pull';
import { visibleText } from '../../contract/untrusted';
import { itemsOf, standing, standingReviews } from '../../contract/verdict';

const SHOWN = 20_000;
const LOG_LINES = 20;

export const pullLines = (record: PullRecord): string[] => {
  const { number, title, url, view, fix, repository } = record;
  return [
    number === null ? `Not opened yet in ${repository}` : `${repository}#${number}  ${title}`,
    `${standing(record)}${url === null ? '' : `  ${url}`}`,
    ...(view?.blocked == null ? [] : [view.blocked]),
    ...(view === null ? [] : view.checks.map(checkLine)),
    ...(view === null
      ? []
      : standingReviews(view.reviews).map(
          ({ author, verdict }) => `${author}: ${verdict.replace('_', ' ')}`,
        )),
    ...itemsOf(record).map(({ what }) => `Needs you: ${what}`),
    ...(fix === null
      ? []
      : [`Loop: round ${fix.round} of ${fix.of}${fix.ended === null ? '' : `, ended: ${fix.ended}`}`]),
  ];
};

const checkLine = ({ name, state }: Check): string => `${state.padEnd(8)}${name}`;

export const checkLines = ({ view }: PullRecord): string[] =>
  view === null || view.checks.length === 0
    ? ['No checks.']
    : view.checks.flatMap((check) => [
        checkLine(check),
        ...(check.log === null
          ? []
          : visibleText(check.log, SHOWN)
              .split('\n')
              .slice(-LOG_LINES)
              .map((line) => `  ${line}`)),
      ]);

export const listLines = (
  rows: readonly PullRecord[],
  { style, width }: Pick<Output, 'style' | 'width'>,
): string[] =>
  rows.length === 0
    ? ['No pull requests.']
    : columns(
        [
          ['RUN', 'NUMBER', 'STATE', 'REPOSITORY', 'TITLE'].map(style.dim),
          ...rows.map((row) => [
            String(row.runId),
            row.number === null ? '-' : `#${row.number}`,
            standing(row),
            row.repository,
            row.title,
          ]),
        ],
        { width },
      );
