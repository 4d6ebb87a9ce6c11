import type { AppError } from '@contract/errors';
import { plural } from '@renderer/client/format';
import { hashOf } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { RULE_TRIAL_MS } from '@renderer/limits';
import { Ago } from '@renderer/parts/text/ago';
import { FieldError } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import { useEffect, useState } from 'react';
import type { DryRun, DryRunRow } from '../../contract/procedures';
import type { RuleDraft } from '../../contract/rule';
import styles from './dry-run.module.css';

interface Tried {
  readonly run: DryRun | null;
  readonly error: AppError | null;
}

/**
 * What a rule would have answered, requested again a moment after a change; the last answer stays meanwhile.
 */
function useDryRun(rule: RuleDraft): Tried {
  const [tried, setTried] = useState<Tried>({ run: null, error: null });
  const key = JSON.stringify({ ...rule, expires_at: null, reason: '' });
  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      const result = await call('rule.dryRun', { rule: JSON.parse(key) });
      if (current)
        setTried(result.ok ? { run: result.value, error: null } : { run: null, error: result.error });
    }, RULE_TRIAL_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [key]);
  return tried;
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

function sentence({ answered, looked, since }: DryRun): string {
  if (since === null) return 'There are no past requests to try it on.';
  return `Would have answered ${answered} of ${plural(looked, 'request')} since ${DAY.format(since)}`;
}

/** The rule, tried on the history before it is created. */
export function DryRunOf({ rule }: { rule: RuleDraft }) {
  const { run, error } = useDryRun(rule);
  if (error) return <FieldError>{error.message}</FieldError>;
  if (run === null) return <p className={`${styles.dryRun} quiet`}>Trying it on past requests</p>;
  const instead = rule.effect === 'allow' ? 'denied' : 'allowed';
  return (
    <div className={styles.dryRun} role="status" aria-label="Dry run">
      <p>{sentence(run)}</p>
      {run.against > 0 && (
        <p className="waits-text">
          {run.against} of them {run.against === 1 ? 'was' : 'were'} {instead} then.
        </p>
      )}
      {run.rows.length > 0 && (
        <Fold head={run.rows.length < run.answered ? `The newest ${run.rows.length}` : 'Matching requests'}>
          <ul className={`${styles.dryRunRows} scroll`} aria-label="Requests it would have answered">
            {run.rows.map((row) => (
              <Row key={`${row.runId}/${row.gateId}`} row={row} />
            ))}
          </ul>
        </Fold>
      )}
    </div>
  );
}

function Row({ row }: { row: DryRunRow }) {
  return (
    <li>
      <a href={hashOf('run', row.runId, 'gate', row.gateId)} className="cut">
        {row.title}
      </a>
      <span className="mono faint cut grow">{row.command ?? row.paths.join(', ')}</span>
      <span className="faint cut">{row.agent ?? row.runName}</span>
      <span className="quiet">{row.answer?.option ?? 'not answered'}</span>
      <span className="faint">
        <Ago at={row.openedAt} />
      </span>
    </li>
  );
}
