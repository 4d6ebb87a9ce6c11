import { hashOfItem, hashOfPull, itemsBesides } from '@areas/attention/view/parts/items';
import { gateHeadline } from '@areas/gates/contract/requester';
import { gateMarks } from '@areas/gates/view/parts/gate-marks';
import { costWords } from '@areas/spend/contract/table';
import { count, money, plural } from '@renderer/client/format';
import { formatRoute, hashOf } from '@renderer/client/route';
import { runWordOf, runWords, type Word } from '@renderer/parts/words/status-words';
import type { Home } from '../contract/procedures';

/** One line of Home, with a link to its subject. */
export interface HomeLine {
  readonly key: string;
  readonly hash: string;
  readonly title: string;
  readonly under: string;
  readonly at: number | null;
  /** The event will happen automatically at that time. */
  readonly comes: boolean;
  readonly word: Word | null;
}

export interface HomeSection {
  readonly title: string;
  readonly lines: readonly HomeLine[];
  /** How many there are; not all of them are listed. */
  readonly count: number;
}

/** The inbox lists all that needs the operator; here it must leave room for what ended. */
export const MOST_NEEDS = 10;

type Run = Home['ended'][number];

const runLine = (run: Run): HomeLine => ({
  key: `run/${run.id}`,
  hash: hashOf('run', run.uid),
  title: run.name,
  under: [`#${run.id}`, run.reason, run.projectName, run.agents, runCost(run)].filter(Boolean).join(' · '),
  at: run.finishedAt ?? run.at,
  comes: false,
  word: runWordOf(run),
});

/** The row of a run does not distinguish a cost of zero from an unreported one. */
function runCost({ costUsd, tokens }: Run): string {
  if (costUsd > 0) return money(costUsd);
  return tokens > 0 ? `${count(tokens)} tokens` : '';
}

function needs({ decisions, replies, pulls }: Home): HomeLine[] {
  const { waiting } = runWords;
  return [
    ...decisions.map(({ runId, gateId, kind, title, runName, openedAt }) => ({
      key: `gate/${runId}/${gateId}`,
      hash: hashOf('gate', runId, gateId),
      title: gateHeadline({ title, runName }),
      under: runName,
      at: openedAt,
      comes: false,
      word: { ...waiting, ...gateMarks[kind] },
    })),
    ...pulls.map((pull) => ({
      key: `pull/${pull.runId}/${pull.key}`,
      hash: hashOfPull(pull),
      title: pull.what,
      under: pull.runName,
      at: pull.at,
      comes: false,
      word: waiting,
    })),
    ...itemsBesides({ replies, failures: [], pulls: [], waits: [] }).flatMap((item) => {
      if (item.kind !== 'reply') return [];
      const { member, round, runName, since } = item.reply;
      const title = member === null ? 'The team is idle' : `${member}, round ${round}`;
      const line = { key: item.key, hash: hashOfItem(item.key), title, under: runName, at: since };
      return [{ ...line, comes: false, word: waiting }];
    }),
  ];
}

const costs = ({ spend: { rows } }: Home): HomeLine[] =>
  rows.map((row) => ({
    key: `cost/${row.key}`,
    hash: row.runId === null ? hashOf('spend') : hashOf('run', row.runId),
    title: `${row.label}: ${costWords(row, money)}`,
    under: [row.detail, row.tokens === null ? 'tokens not reported' : `${count(row.tokens)} tokens`]
      .filter(Boolean)
      .join(' · '),
    at: null,
    comes: false,
    word: null,
  }));

/** The sections of Home, the most urgent first. Empty sections are left out. */
export function homeSections(home: Home): HomeSection[] {
  const waits = home.waits.map(({ runId, runName, what, at }) => ({
    key: `wait/${runId}/${at}/${what}`,
    hash: hashOf('run', runId),
    title: `${what.charAt(0).toUpperCase()}${what.slice(1)}`,
    under: runName,
    at,
    comes: true,
    word: null,
  }));
  const needed = needs(home);
  const sections = [
    { title: 'Failed', lines: home.failed.map(runLine) },
    // Not what the badges count, which include unseen failures.
    { title: 'Waits for your answer', lines: needed.slice(0, MOST_NEEDS), count: needed.length },
    { title: 'Ended', lines: home.ended.map(runLine) },
    { title: 'Goes on by itself', lines: waits },
    { title: 'Cost by run', lines: costs(home) },
  ];
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map((section) => ({ count: section.lines.length, ...section }));
}

/** The counts in one line, each with its link. */
export function homeFacts(home: Home): { readonly text: string; readonly hash: string }[] {
  const { spend, failed, ended, needs: waiting, running, unread } = home;
  const cost = spend.totals.turns === 0 ? 'No cost' : `Cost ${costWords(spend.totals, money)}`;
  return [
    { text: `${plural(failed.length, 'run')} failed`, hash: hashOf('runs') },
    { text: `${plural(ended.length, 'other run')} ended`, hash: hashOf('runs') },
    { text: `${plural(waiting, 'needs', 'need')} you`, hash: hashOf('inbox') },
    { text: `${plural(running, 'run')} running`, hash: hashOf('runs') },
    { text: plural(unread, 'unread update'), hash: hashOf('feed') },
    { text: cost, hash: formatRoute({ path: ['spend'], query: { by: 'run' } }) },
  ];
}
