import { plural } from '@renderer/client/format';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago } from '@renderer/parts/text/ago';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import type { LoopRow } from '../contract/summary';
import type { LoopListRow } from './rows';
import { phaseWords } from './words';

export function LoopListItem({ row }: { row: LoopListRow }) {
  if (row.kind === 'heading') return row.text;
  const { loop } = row;
  return (
    <TwoLines
      mark={<Marked word={phaseWords[loop.phase]} markOnly />}
      title={loop.title}
      end={<Ago at={loop.since} />}
      under={under(loop)}
      underEnd={
        loop.openGates > 0 ? <span className="waits-text">{plural(loop.openGates, 'gate')}</span> : done(loop)
      }
    />
  );
}

/** Where it stands: `2/5 · US-002 Login` while it continues, else how it ended. */
function under(loop: LoopRow): string {
  const turn = loop.iteration === 0 ? '' : `${loop.iteration}/${loop.of}${loop.retry > 0 ? ' retry' : ''}`;
  const story = loop.story === null ? '' : loop.story.id;
  const word = loop.phase === 'working' ? '' : phaseWords[loop.phase].word;
  return [word, turn, story, loop.projectName].filter((part) => part !== '').join(' · ');
}

const done = ({ stories, passing }: LoopRow): string => (stories === 0 ? '' : `${passing} of ${stories}`);
