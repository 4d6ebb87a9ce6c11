import type { PullItem } from '@areas/forges/contract/pull';
import { PULL_SIDE } from '@areas/forges/view/parts/pull-button';
import { PullState } from '@areas/forges/view/parts/pull-state';
import { pullItemWords } from '@areas/forges/view/parts/pull-words';
import { OptionRow } from '@areas/gates/view/parts/answer/option-row';
import { useHandlers, useQuery } from '@renderer/client/hooks';
import { hashOf, navigate, withQuery } from '@renderer/client/route';
import type { Decision } from '@renderer/client/sending/decision';
import { newUid } from '@renderer/client/sending/uid';
import { ActButton, useCaps } from '@renderer/parts/controls/act';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago } from '@renderer/parts/text/ago';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { GitPullRequest } from 'lucide-react';
import { useState } from 'react';
import styles from './gate-detail.module.css';
import { useDecide } from './parts/use-decide';

interface PullDetailProps {
  readonly itemKey: string;
  readonly pull: PullItem;
}

interface Taking {
  readonly label: string;
  readonly effect: string;
  readonly sends: Decision['sends'];
}

/** What the operator can have done about an item at once; null if it must be looked at. */
function takingOf({ kind, runId }: PullItem, key: string): Taking | null {
  switch (kind) {
    case 'check_failed':
    case 'changes_requested':
    case 'conflict':
      return {
        label: 'Fix',
        effect:
          'The agent gets failed checks with the end of their logs, requested changes and new comments.',
        sends: { procedure: 'pull.fix', input: { runId, key, rounds: 0 } },
      };
    case 'failed':
      return {
        label: 'Send again',
        effect: 'What you agreed to is sent again. Nothing is made twice.',
        sends: { procedure: 'pull.retry', input: { runId } },
      };
    case 'approved':
    case 'closed':
      return null;
  }
}

/** A change of a pull request: what happened, its state, and what can be done about it. */
export function PullDetail({ itemKey, pull }: PullDetailProps) {
  const { runId, runName, projectName, key, kind, number, title, what, at } = pull;
  const record = useQuery('pull.record', { runId }).value?.record ?? null;
  const { resting, decide } = useDecide(itemKey, what);
  // A press whose answer was lost sends the same prompt, not another one.
  const [uid] = useState(() => newUid());
  const taking = takingOf(pull, uid);
  const takeCaps = useCaps('pullItem.take');
  const openCaps = useCaps('item.open');
  const dismissCaps = useCaps('pullItem.dismiss');
  const open = () => navigate(withQuery(hashOf('run', runId), { side: PULL_SIDE }));
  const take = taking && (() => decide({ word: taking.label, sends: taking.sends }));
  const dismiss = () =>
    decide({ word: 'Dismiss', sends: { procedure: 'pull.seen', input: { runId, items: [key] } } });
  useHandlers({ 'pullItem.take': take, 'pullItem.dismiss': dismiss, 'item.open': open });
  return (
    <article className={`pane ${styles.gateDetail}`} aria-label={what}>
      <header className="detail-head">
        <div className="detail-line">
          <Marked word={pullItemWords[kind]} />
          <span className="grow" />
          <ActButton action="item.open" tone="ghost" icon={GitPullRequest}>
            Open the pull request
          </ActButton>
        </div>
        <h1 className="reads">{inPlainSight(what)}</h1>
        <p className={`quiet ${styles.gateWho}`}>
          <span className="reads">
            {number === null ? '' : `#${number} `}
            {inPlainSight(title)}
          </span>
          <a href={hashOf('run', runId)}>{inPlainSight(runName)}</a>
          {projectName !== null && <span>{projectName}</span>}
          <Ago at={at} />
        </p>
      </header>
      <div className={`scroll ${styles.gateBody}`} data-focus tabIndex={-1}>
        {record !== null && <PullState record={record} />}
      </div>
      <section className="gate-answer" aria-label="Your answer" data-resting={resting ? '' : undefined}>
        {take && (
          <OptionRow
            option={{ label: taking.label, effect: taking.effect, tone: 'approve' }}
            caps={takeCaps}
            disabled={resting}
            onTake={take}
          />
        )}
        {taking === null && (
          <OptionRow
            option={{ label: 'Open', effect: openEffect(kind), tone: 'approve' }}
            caps={openCaps}
            disabled={resting}
            onTake={open}
          />
        )}
        <OptionRow
          option={{
            label: 'Dismiss',
            effect: 'It leaves this list until something new happens.',
            tone: 'neutral',
          }}
          caps={dismissCaps}
          disabled={resting}
          onTake={dismiss}
        />
      </section>
    </article>
  );
}

const openEffect = (kind: PullItem['kind']): string =>
  kind === 'approved'
    ? 'You look at it once more, and can merge it there.'
    : 'You see its run and its state.';
