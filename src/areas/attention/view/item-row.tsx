import type { PullItem } from '@areas/forges/contract/pull';
import { pullItemWords } from '@areas/forges/view/parts/pull-words';
import type { GateRow } from '@areas/gates/contract/procedures';
import { gateHeadline, gateOrigin } from '@areas/gates/contract/requester';
import { gateMarks } from '@areas/gates/view/parts/gate-marks';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago, ResumesIn, Until } from '@renderer/parts/text/ago';
import { answerWord, runWords } from '@renderer/parts/words/status-words';
import { Glyph } from '@renderer/ui/controls/icon';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import { Clock, MessageSquareReply, Users } from 'lucide-react';
import type { Failure, Reply, Wait } from '../contract/procedures';
import type { InboxRow } from './rows';

/** `inRun`: it stands under the name of its run, which it then does not say again. */
export function ItemRow({ row, inRun }: { row: InboxRow; inRun: boolean }) {
  if (row.heading) {
    return (
      <>
        {row.text} <span className="count">{row.count}</span>
      </>
    );
  }
  const { item } = row;
  if (item.kind === 'gate') return <GateRowLines gate={item.gate} inRun={inRun} />;
  if (item.kind === 'reply') return <ReplyLines reply={item.reply} inRun={inRun} />;
  if (item.kind === 'failed') return <FailureLines failure={item.failure} />;
  return item.kind === 'pull' ? <PullLines pull={item.pull} /> : <WaitLines wait={item.wait} />;
}

function ReplyLines({ reply, inRun }: { reply: Reply; inRun: boolean }) {
  const { member, round, since, lastWords, runName } = reply;
  const words = lastWords === null ? '' : plainLine(lastWords);
  return (
    <TwoLines
      mark={
        <span className="waits-text">
          <Glyph of={member === null ? Users : MessageSquareReply} />
        </span>
      }
      title={member === null ? `${runName} is idle` : `${member}, round ${round}`}
      end={<Ago at={since} />}
      under={inPlainSight([inRun && words !== '' ? '' : runName, words].filter(Boolean).join(' · '))}
    />
  );
}

function FailureLines({ failure }: { failure: Failure }) {
  return (
    <TwoLines
      mark={<Marked word={runWords.failed} markOnly />}
      title={failure.runName}
      end={<Ago at={failure.at} />}
      under={inPlainSight(failure.reason ?? 'The run failed')}
    />
  );
}

function PullLines({ pull: { kind, number, what, title, at } }: { pull: PullItem }) {
  return (
    <TwoLines
      mark={<Marked word={pullItemWords[kind]} markOnly />}
      title={inPlainSight(number === null ? what : `#${number}: ${what}`)}
      end={<Ago at={at} />}
      under={inPlainSight(title)}
    />
  );
}

function WaitLines({ wait }: { wait: Wait }) {
  return (
    <TwoLines
      mark={<Glyph of={Clock} />}
      title={inPlainSight(wait.what)}
      end={<ResumesIn at={wait.at} />}
      under={wait.runName}
    />
  );
}

/** The text without Markdown marks: it is shown in one line. */
const plainLine = (text: string): string =>
  text
    .replace(/[*_`#>|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();

function GateRowLines({ gate, inRun }: { gate: GateRow; inRun: boolean }) {
  const title = gateHeadline(gate);
  const placed = { ...gate, title };
  const { stepTitle, stepId, runName } = gate;
  const step = (stepTitle ?? stepId) === runName ? '' : stepTitle;
  return (
    <TwoLines
      mark={
        <span className={gate.status === 'open' ? 'waits-text' : ''}>
          <Glyph of={gateMarks[gate.kind].icon} />
        </span>
      }
      title={inPlainSight(title)}
      end={
        gate.answer ? (
          <Marked word={answerWord(gate.options, gate.answer)} markOnly />
        ) : (
          <Ago at={gate.openedAt} />
        )
      }
      under={gateOrigin(inRun ? { ...placed, stepTitle: step, runName: '' } : placed)}
      underEnd={<Later gate={gate} />}
    />
  );
}

function Later({ gate }: { gate: GateRow }) {
  if (gate.status !== 'open') return gate.closedAt !== null && <Ago at={gate.closedAt} />;
  if (gate.snoozedUntil === null) return null;
  return (
    <span className="with-icon">
      <Glyph of={Clock} size={12} />
      <Until at={gate.snoozedUntil} />
    </span>
  );
}
