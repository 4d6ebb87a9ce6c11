import { CardTrail, GateCard } from '@areas/runs/view/parts/cards/card-trail';
import { Chained } from '@areas/sessions/view/parts/chain';
import type { RunState } from '@contract/run/state';
import { plural } from '@renderer/client/format';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Ago } from '@renderer/parts/text/ago';
import { outcomeWords } from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import type { StackHandle } from '@renderer/ui/lists/stack';
import { FileSearch, Flag, RotateCcw } from 'lucide-react';
import type { RefObject } from 'react';
import type { LoopState } from '../../contract/state';
import type { LoopAt } from '../place';
import { isStop, type TimelineRow } from '../rows';
import { AttemptCard, attemptWord } from './attempt-card';
import styles from './attempt-timeline.module.css';

interface TimelineProps {
  readonly at: LoopAt;
  readonly state: RunState;
  readonly loop: LoopState;
  readonly rows: readonly TimelineRow[];
  /** The row named in the address. */
  readonly current: string | null;
  /** The expanded row. */
  readonly open: string | null;
  readonly handle: RefObject<StackHandle | null>;
  readonly onGo: (key: string) => void;
  readonly onToggle: (key: string) => void;
}

/** The attempts in order, with the questions between them. */
export function AttemptTimeline(props: TimelineProps) {
  const { at, state, loop, open, onToggle } = props;
  return (
    <CardTrail
      {...props}
      label="Attempts"
      part="loop-timeline"
      keys={['attempt.next', 'attempt.previous']}
      opens={{ action: 'attempt.open', prefix: 'attempt/' }}
      isStop={isStop}
      draw={(row, only) => (
        <Row row={row} at={at} state={state} loop={loop} only={only} open={open} onToggle={onToggle} />
      )}
    />
  );
}

type RowProps = Pick<TimelineProps, 'at' | 'state' | 'loop' | 'open' | 'onToggle'> & {
  readonly row: TimelineRow;
  /** The only open gate. */
  readonly only: number | null;
};

function Row({ row, at, state, loop, only, open, onToggle }: RowProps) {
  switch (row.kind) {
    case 'plan':
      return <PlanRow loop={loop} />;
    case 'attempt':
      return (
        <Chained
          mark={row.attempt.retry > 0 ? <Glyph of={RotateCcw} size={11} /> : row.attempt.iteration}
          tone={attemptWord(row).tone}
        >
          <AttemptCard
            at={at}
            state={state}
            row={row}
            open={open === row.key || row.gates.some((gate) => gate.status === 'open')}
            keyedGate={only}
            onToggle={() => onToggle(row.key)}
          />
        </Chained>
      );
    case 'gate':
      return <GateCard runId={at.runId} runName={state.name} gate={row.gate} only={only} />;
    case 'end':
      return (
        <Chained
          mark={<Glyph of={Flag} size={11} />}
          tone={outcomeWords[row.activation.outcome ?? 'failed'].tone}
        >
          <div className={styles.loopLine}>
            <Marked word={outcomeWords[row.activation.outcome ?? 'failed']} />
            <span className="quiet cut">{endWords(loop)}</span>
            <span className="grow" />
            <span className="faint note">
              {row.activation.finishedAt && <Ago at={row.activation.finishedAt} />}
            </span>
          </div>
          {row.activation.warnings.map((warning) => (
            <p key={warning} className="waits-text note">
              {warning}
            </p>
          ))}
        </Chained>
      );
  }
}

function endWords({ plan, attempts }: LoopState): string {
  const tried = plural(attempts.length, 'attempt');
  if (plan.state !== 'read') return tried;
  const passing = plan.stories.filter(({ passes }) => passes).length;
  const pass = passing === 1 || plan.stories.length === 1 ? 'passes' : 'pass';
  return `${passing} of ${plural(plan.stories.length, 'story', 'stories')} ${pass}, after ${tried}`;
}

/** The plan as read before the first attempt, and again after each answer of the operator. */
function PlanRow({ loop }: { loop: LoopState }) {
  const { reading, plan, folder, archived } = loop;
  const file = folder === '.' ? 'prd.json' : `${folder}/prd.json`;
  const words =
    reading === null || reading.status === 'requested'
      ? `Reads ${file}`
      : plan.state === 'read'
        ? `${file}: ${plural(plan.stories.length, 'story', 'stories')}`
        : plan.state === 'none'
          ? `There is no ${file}`
          : `${file} is not valid`;
  return (
    <Chained
      mark={<Glyph of={FileSearch} size={11} />}
      tone={reading?.status === 'refused' ? 'failed' : 'grey'}
    >
      <div className={`${styles.loopLine} quiet`}>
        <span className="cut">{words}</span>
        {archived.length > 0 && (
          <span className="faint note cut" title={archived.join('\n')}>
            the previous plan is in {archived.at(-1)}
          </span>
        )}
      </div>
      {reading?.error && <ErrorNote error={reading.error} />}
      {plan.state === 'broken' && (
        <ul className={styles.loopProblems}>
          {plan.problems.map((problem) => (
            <li key={problem} className="reads">
              {problem}
            </li>
          ))}
        </ul>
      )}
    </Chained>
  );
}
