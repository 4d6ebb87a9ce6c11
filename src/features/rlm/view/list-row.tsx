import { plural } from '@renderer/client/format';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago } from '@renderer/parts/text/ago';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import type { QuestionRow } from '../contract/summary';
import type { QuestionListRow } from './rows';
import { phaseWords } from './words';

export function QuestionListItem({ row }: { row: QuestionListRow }) {
  if (row.kind === 'heading') return row.text;
  const { question } = row;
  return (
    <TwoLines
      mark={<Marked word={phaseWords[question.phase]} markOnly />}
      title={question.question}
      end={<Ago at={question.finishedAt ?? question.startedAt} />}
      under={under(question)}
      underEnd={
        question.openGates > 0 && <span className="waits-text">{plural(question.openGates, 'gate')}</span>
      }
    />
  );
}

function under({ phase, iteration, of, projectName }: QuestionRow): string {
  const turn = iteration === 0 ? '' : `${Math.min(iteration, of)}/${of}`;
  return [phaseWords[phase].word, turn, projectName].filter((part) => part !== '').join(' · ');
}
