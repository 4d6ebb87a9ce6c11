import { LookBack } from '@areas/runs/view/parts/scrubber/shown-run';
import type { AppError } from '@contract/errors';
import { plural, spend } from '@renderer/client/format';
import { elapsed } from '@renderer/client/time';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago, Elapsed } from '@renderer/parts/text/ago';
import { usePast } from '@renderer/parts/text/shown-time';
import { resultWords } from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import { Bar } from '@renderer/ui/controls/status';
import { Ban, GitBranch, Link, ListTree, Logs, Pause, Play } from 'lucide-react';
import type { LoopForecast } from '../../contract/costs';
import type { LoopRow } from '../../contract/summary';
import { resultNames } from '../../contract/summary';
import { costWords, phaseWords } from '../words';
import styles from './loop-head.module.css';
import { RunnerNote } from './runner-note';

interface LoopHeadProps {
  readonly row: LoopRow;
  readonly error: AppError | null;
  readonly forecast: LoopForecast | null;
}

/** A loop's title and status, and the actions for the whole loop. */
export function LoopHead({ row, error, forecast }: LoopHeadProps) {
  const now = usePast() === null;
  const pausing = row.live && row.pauseRequested && row.phase !== 'waiting';
  return (
    <header className="detail-head">
      <div className="detail-line">
        <h1 className="cut reads" title={row.title}>
          {row.title}
        </h1>
        <Marked word={phaseWords[row.phase]} chip />
        {row.phase !== 'cancelling' && (
          <span className="faint note">
            <Ago at={row.since} />
          </span>
        )}
        {row.watched && (
          <span className="note quiet" title="Another program runs it. Muster only watches.">
            watched, read-only
          </span>
        )}
        {pausing && <span className="note waits-text">pauses after this iteration</span>}
        <span className="grow" />
        {now && row.live && !row.watched && !row.pauseRequested && row.phase !== 'waiting' && (
          <ActButton action="loop.pause" icon={Pause}>
            Pause after this iteration
          </ActButton>
        )}
        {now && row.live && (
          <ActButton action="loop.stop" icon={Ban}>
            {row.watched ? 'Stop watching' : 'Stop now'}
          </ActButton>
        )}
        {now && row.resumable && !row.watched && (
          <ActButton action="loop.resume" icon={Play} tone="primary">
            Resume
          </ActButton>
        )}
        <LookBack />
        <ActIcon action="loop.logs" icon={Logs} label="Show or hide the logs of the attempt" />
        <ActIcon action="loop.run" icon={ListTree} label="Open the run of the loop" />
        <ActIcon action="loop.copy" icon={Link} label="Copy the address" />
      </div>
      <LoopFacts row={row} />
      {forecast && (
        <p
          className="head-facts quiet"
          title={`Assumes one attempt per open story, with the median time of ${plural(forecast.attempts, 'attempt')} so far.`}
        >
          <span>
            Estimate for {plural(forecast.stories, 'open story', 'open stories')}: {elapsed(forecast.ms)}
          </span>
          {forecastWords(forecast).map((words) => (
            <span key={words}>{words}</span>
          ))}
        </p>
      )}
      {now && row.live && row.runner && <RunnerNote row={row} seen={row.runner} />}
      {row.stories > 0 && <Bar part={row.passing / row.stories} label="Stories that pass" />}
      {error && row.phase === 'failed' && row.openGates === 0 && <ErrorNote error={error} />}
    </header>
  );
}

/** What is not reported of the attempts is not forecast either; the head says so of them. */
const forecastWords = (cost: Parameters<typeof costWords>[0]): string[] =>
  costWords(cost).filter((words) => !words.endsWith('not reported'));

function LoopFacts({ row }: { row: LoopRow }) {
  const { results } = row;
  return (
    <p className="head-facts quiet">
      <span>
        {row.iteration === 0 ? 'no iteration yet' : `iteration ${row.iteration}/${row.of}`}
        {row.retry > 0 && ` (retry ${row.retry})`}
      </span>
      {row.stories > 0 && (
        <span>
          {row.passing} of {plural(row.stories, 'story', 'stories')} pass
        </span>
      )}
      {row.attempts > 0 && (
        <span className={styles.loopCounts} title="Attempt results">
          {resultNames
            .filter((name) => results[name] > 0)
            .map((name) => (
              <span key={name} className={`status ${resultWords[name].tone}`}>
                <Glyph of={resultWords[name].icon} size={13} />
                {results[name]} {resultWords[name].word}
              </span>
            ))}
        </span>
      )}
      <span>
        {row.finishedAt === null ? 'for ' : 'took '}
        <Elapsed from={row.startedAt} to={row.finishedAt} />
      </span>
      <span>{spend(row.tokens, row.costUsd) || 'usage not reported'}</span>
      <span>{row.worker}</span>
      <span className="mono cut">
        {row.folder === '.' ? row.projectName : `${row.projectName}/${row.folder}`}
      </span>
      {row.branch && (
        <span className="with-icon mono cut" title="The branch of the loop">
          <Glyph of={GitBranch} size={13} /> {row.branch}
        </span>
      )}
    </p>
  );
}
