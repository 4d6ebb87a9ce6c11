import {
  type SpendBy,
  type SpendQuery,
  type SpendRow,
  spendRowSchema,
  spendTotalsSchema,
} from '@areas/spend/contract/procedures';
import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import type { StoreReader } from '../../../core/ports/store/store';
import { QUARTER_HOUR_S } from '../../../limits/core';
import { type Db, readings, type SqlValue } from '../sql';
import { page } from './runs';

const AMOUNTS = `count(*) as turns, sum(u.ms) as ms, sum(u.tokens) as tokens, sum(u.cost_usd) as costUsd,
  count(*) - count(u.tokens) as tokensUnreported, count(*) - count(u.cost_usd) as costUnreported`;
const FROM = 'from usages u join runs r on r.id = u.run_id join projects p on p.id = r.project_id';

interface Grouping {
  readonly key: string;
  readonly label: string;
  readonly detail?: string;
  readonly runId?: string;
  readonly projectId?: string;
  readonly file?: string;
  readonly budgetTokens?: string;
  readonly budgetUsd?: string;
  /** Only usage for pieces of work of this kind. */
  readonly kind?: 'story' | 'round';
}

const WORKFLOW = "r.project_id || '/' || coalesce(r.source_file, r.workflow_name)";
/** A run started without a file has no workflow to link to. */
const OF_WORKFLOW = { projectId: 'r.project_id', file: 'max(r.source_file)' };
const NEWEST_RUN = { runId: 'max(r.id)', detail: 'max(r.name)' };

const GROUPINGS: Readonly<Record<Exclude<SpendBy, 'day'>, Grouping>> = {
  project: { key: "'' || r.project_id", label: 'max(p.name)', projectId: 'r.project_id' },
  workflow: { key: WORKFLOW, label: 'max(r.workflow_name)', detail: 'max(p.name)', ...OF_WORKFLOW },
  run: {
    key: "'' || r.id",
    label: 'r.name',
    detail: 'max(p.name)',
    runId: 'r.id',
    budgetTokens: 'r.budget_tokens',
    budgetUsd: 'r.budget_usd',
  },
  agent: { key: "coalesce(u.profile_id, '')", label: "coalesce(max(u.agent), 'Calls without an agent')" },
  model: {
    key: "coalesce(u.model, '?' || coalesce(u.profile_id, ''))",
    label: "coalesce(u.model, 'Default model of ' || max(u.agent), 'Unknown model')",
  },
  step: {
    key: `${WORKFLOW} || '/' || u.step`,
    label: 'max(u.step_title)',
    detail: 'max(r.workflow_name)',
    ...OF_WORKFLOW,
  },
  /** A story continued by a later run is the same story. */
  story: {
    key: `${WORKFLOW} || '/' || k.name`,
    kind: 'story',
    ...NEWEST_RUN,
    label:
      "case k.name when 'unknown' then 'No story' else k.name || coalesce(' - ' || max(k.title), '') end",
  },
  round: { key: 'r.id || \'/\' || k."key"', label: 'k.name', kind: 'round', ...NEWEST_RUN },
};

const NO_PIECES = { key: '', kind: undefined };
const JOIN_PIECES = 'join pieces k on k.run_id = u.run_id and k."key" = u.piece';

const rowSchema = z.lazy(() =>
  spendRowSchema.unwrap().omit({ accepted: true, budget: true }).extend({
    accepted: z.number().nullable(),
    budgetTokens: z.number().nullable(),
    budgetUsd: z.number().nullable(),
    usedTokens: z.number(),
    usedUsd: z.number(),
  }),
);
const piecesSchema = lazyObject(() => ({ all: z.number(), accepted: z.number() }));

export function spendReader(db: Db): Pick<StoreReader, 'spend' | 'spendTotals'> {
  const rows = readings(db, rowSchema);
  const totals = readings(db, spendTotalsSchema);
  const pieces = readings(db, piecesSchema);
  const totalsOf = (query: SpendFilter & { readonly by?: SpendBy }) => {
    const { from, where, values } = conditions(query);
    return totals(`select ${AMOUNTS} ${from} where ${where}`).get(...values) ?? NONE;
  };
  return {
    spendTotals: totalsOf,
    spend(query) {
      const { from, where, values } = conditions(query);
      const { key, kind } = query.by === 'day' ? NO_PIECES : GROUPINGS[query.by];
      const listed = rows(
        query.by === 'day'
          ? byDay({ from, where })
          : `${select(query.by)} ${from} where ${where} group by 1 ${ORDER} limit ?`,
      );
      const found = page(listed.all(...values, query.limit + 1), query.limit);
      const counted = () =>
        pieces(`select count(*) as "all", count(iif(accepted, 1, null)) as accepted
          from (select max(k.accepted) as accepted ${from} where ${where} group by ${key})`).get(...values);
      return {
        more: found.more,
        totals: totalsOf(query),
        rows: found.rows.map(shown),
        pieces: kind === undefined ? null : (counted() ?? null),
      };
    },
  };
}

function shown(found: z.infer<typeof rowSchema>): SpendRow {
  const { accepted, budgetTokens, budgetUsd, usedTokens, usedUsd, ...row } = found;
  const hasBudget = budgetTokens !== null || budgetUsd !== null;
  return {
    ...row,
    accepted: accepted === null ? null : accepted === 1,
    budget: hasBudget ? { tokens: budgetTokens, costUsd: budgetUsd, usedTokens, usedUsd } : null,
  };
}

const NONE = { turns: 0, ms: null, tokens: null, costUsd: null, tokensUnreported: 0, costUnreported: 0 };

function select(by: Exclude<SpendBy, 'day'>): string {
  const { key, label, detail, runId, projectId, file, budgetTokens, budgetUsd, kind } = GROUPINGS[by];
  const of = (expression: string | undefined): string => expression ?? 'null';
  return `select ${key} as "key", ${label} as label, ${of(detail)} as detail, ${of(runId)} as runId,
    ${of(projectId)} as projectId, ${of(file)} as file, ${kind === undefined ? 'null' : 'max(k.accepted)'} as accepted,
    ${of(budgetTokens)} as budgetTokens, ${of(budgetUsd)} as budgetUsd, r.tokens as usedTokens, r.cost_usd as usedUsd,
    ${AMOUNTS}`;
}

/** The local calendar is consulted once per quarter of an hour, not per answer. */
const byDay = ({ from, where }: { from: string; where: string }): string =>
  `select date(quarter * ${QUARTER_HOUR_S}, 'unixepoch', 'localtime') as "key",
    date(quarter * ${QUARTER_HOUR_S}, 'unixepoch', 'localtime') as label, null as detail, null as runId, null as projectId,
    null as file, null as accepted, null as budgetTokens, null as budgetUsd, 0 as usedTokens, 0 as usedUsd,
    sum(turns) as turns, sum(ms) as ms, sum(tokens) as tokens, sum(costUsd) as costUsd,
    sum(tokensUnreported) as tokensUnreported, sum(costUnreported) as costUnreported
  from (select u.at / ${QUARTER_HOUR_S * 1000} as quarter, ${AMOUNTS} ${from} where ${where} group by quarter)
  group by 1 order by 1 desc limit ?`;

const ORDER = 'order by costUsd desc nulls last, tokens desc nulls last, 1';

type SpendFilter = Pick<SpendQuery, 'from' | 'before' | 'projectId'>;

function conditions({ by, from, before, projectId }: SpendFilter & { readonly by?: SpendBy }): {
  from: string;
  where: string;
  values: SqlValue[];
} {
  const where = ['u.at >= ?'];
  const values: SqlValue[] = [from];
  const and = (condition: string, value: SqlValue): void => {
    where.push(condition);
    values.push(value);
  };
  if (before !== null) and('u.at < ?', before);
  if (projectId !== null) and('r.project_id = ?', projectId);
  const kind = by === undefined || by === 'day' ? undefined : GROUPINGS[by].kind;
  if (kind !== undefined) and('k.kind = ?', kind);
  return { from: kind === undefined ? FROM : `${FROM} ${JOIN_PIECES}`, where: where.join(' and '), values };
}
