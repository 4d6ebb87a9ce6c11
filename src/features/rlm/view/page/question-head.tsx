import { LookBack } from '@areas/runs/view/parts/scrubber/shown-run';
import { plural, spend } from '@renderer/client/format';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { Marked } from '@renderer/parts/marks/marks';
import { Elapsed } from '@renderer/parts/text/ago';
import { usePast } from '@renderer/parts/text/shown-time';
import { Bar } from '@renderer/ui/controls/status';
import { Ban, CircleStop, Link, ListTree, Play, RotateCcw } from 'lucide-react';
import type { QuestionRow } from '../../contract/summary';
import { phaseWords } from '../words';

/** The question, its status and its actions. */
export function QuestionHead({ row }: { readonly row: QuestionRow }) {
  const used = spend(row.tokens, row.costUsd);
  const now = usePast() === null;
  return (
    <header className="detail-head">
      <div className="detail-line">
        <h1 className="cut reads" title={row.question}>
          {row.question}
        </h1>
        <Marked word={phaseWords[row.phase]} chip />
        <span className="grow" />
        {now && row.interruptible && (
          <ActButton action="question.interrupt" icon={CircleStop}>
            Interrupt the code
          </ActButton>
        )}
        {now && row.live && (
          <ActButton action="question.stop" icon={Ban}>
            Stop now
          </ActButton>
        )}
        {now && row.resumable && (
          <ActButton action="question.resume" icon={Play} tone={row.resumeHelps ? 'primary' : undefined}>
            Resume
          </ActButton>
        )}
        {now && row.resumable && !row.resumeHelps && (
          <ActButton action="question.again" icon={RotateCcw} tone="primary">
            Change and ask again
          </ActButton>
        )}
        {now && !row.live && !(row.resumable && !row.resumeHelps) && (
          <ActIcon action="question.again" icon={RotateCcw} label="Ask the question again" />
        )}
        <LookBack />
        <ActIcon action="question.run" icon={ListTree} label="Open the run of the question" />
        <ActIcon action="question.copy" icon={Link} label="Copy the address" />
      </div>
      <p className="head-facts quiet">
        <span>
          {row.iteration === 0
            ? 'no iteration yet'
            : `iteration ${Math.min(row.iteration, row.of)} of ${row.of}`}
        </span>
        {row.subCalls > 0 && (
          <span>
            {plural(row.subCalls, 'sub-call')}
            {row.underWay > 0 && `, ${row.underWay} under way`}
          </span>
        )}
        <span>{used === '' ? 'tokens not reported' : used}</span>
        <span>
          {row.finishedAt === null ? 'for ' : 'took '}
          <Elapsed from={row.startedAt} to={row.finishedAt} />
        </span>
        <span>{row.projectName}</span>
      </p>
      {row.live && <Bar part={Math.min(1, row.iteration / row.of)} label="Iterations used" />}
    </header>
  );
}
