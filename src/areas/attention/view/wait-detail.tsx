import { useHandlers } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { clockTime } from '@renderer/client/time';
import { ActButton } from '@renderer/parts/controls/act';
import { ResumesIn } from '@renderer/parts/text/ago';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { ListTree } from 'lucide-react';
import type { Wait } from '../contract/procedures';
import styles from './gate-detail.module.css';

/** Something that continues by itself: what happens then, and when. */
export function WaitDetail({ wait }: { wait: Wait }) {
  const { runId, runName, projectName, at, what } = wait;
  useHandlers({ 'item.open': () => navigate(hashOf('run', runId)) });
  return (
    <article className={`pane ${styles.gateDetail}`} aria-label={what}>
      <header className="detail-head">
        <div className="detail-line">
          <span className="faint">Waiting by itself</span>
          <span className="grow" />
          <ActButton action="item.open" tone="ghost" icon={ListTree}>
            Open the run
          </ActButton>
        </div>
        <h1 className="reads">{inPlainSight(what)}</h1>
        <p className={`quiet ${styles.gateWho}`}>
          <a href={hashOf('run', runId)}>{runName}</a>
          {projectName !== null && <span>{projectName}</span>}
        </p>
      </header>
      <div className={`scroll ${styles.gateBody}`} data-focus tabIndex={-1}>
        <p>
          It <ResumesIn at={at} />, at {clockTime(at)}, and needs nothing from you.
        </p>
      </div>
    </article>
  );
}
