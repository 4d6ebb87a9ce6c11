import { Brain, ChevronsUp, ListChecks } from 'lucide-react';
import { memo, useState } from 'react';
import { plural } from '../../client/format';
import type { Block, PlanEntry } from '../../client/transcript';
import { AgentText } from '../../parts/agent-text';
import { Fold } from '../../ui/fold';
import { Glyph } from '../../ui/icon';
import { groupTools } from './tool-groups';
import { ToolLine } from './tool-line';

interface TranscriptBlocksProps {
  readonly blocks: readonly Block[];
  readonly live: boolean;
  /** The answer, where the transcript has none. */
  readonly answer: string | null;
}

/** What an agent said and did, in its order. */
export function TranscriptBlocks({ blocks, live, answer }: TranscriptBlocksProps) {
  const groups = groupTools(blocks);
  return (
    <div className="transcript">
      {groups.map((group) =>
        group.kind === 'tools' ? (
          <Tools key={group.key} blocks={group.blocks} />
        ) : (
          <BlockView key={group.block.key} block={group.block} live={live && group.block === blocks.at(-1)} />
        ),
      )}
      {answer && <AgentText text={answer} />}
    </div>
  );
}

const BlockView = memo(function BlockView({ block, live }: { block: Block; live: boolean }) {
  switch (block.kind) {
    case 'text':
      return <AgentText text={block.text} />;
    case 'thought':
      return <Thought text={block.text} live={live} />;
    case 'plan':
      return <Plan entries={block.entries} />;
    case 'notice':
      return <p className="note quiet reads">{block.text}</p>;
    case 'tool':
      return <ToolLine call={block.call} />;
  }
});

function Thought({ text, live }: { text: string; live: boolean }) {
  const head = (
    <>
      <Glyph of={Brain} size={13} />
      <span className="cut">
        {live ? 'Thinking' : 'Thought'}:{' '}
        {text
          .trim()
          .split('\n')
          .at(live ? -1 : 0)}
      </span>
    </>
  );
  return (
    <Fold head={head} className="thought">
      <AgentText text={text} />
    </Fold>
  );
}

function Plan({ entries }: { entries: readonly PlanEntry[] }) {
  const done = entries.filter((entry) => entry.status === 'completed').length;
  const head = (
    <>
      <Glyph of={ListChecks} size={13} />
      <span>
        Plan: {done} of {entries.length} done
      </span>
    </>
  );
  return (
    <Fold head={head} className="plan">
      <ul>
        {entries.map((entry) => (
          <li key={entry.content} className={`plan-${entry.status}`}>
            <span className="mono" aria-hidden>
              {entry.status === 'completed' ? '×' : entry.status === 'in_progress' ? '›' : '·'}
            </span>{' '}
            {entry.content}
          </li>
        ))}
      </ul>
    </Fold>
  );
}

const LAST_SHOWN = 6;

function Tools({ blocks }: { blocks: readonly Extract<Block, { kind: 'tool' }>[] }) {
  const [all, setAll] = useState(false);
  const hidden = all ? 0 : Math.max(0, blocks.length - LAST_SHOWN);
  return (
    <div className="tools">
      {hidden > 0 && (
        <button type="button" className="tool-more" onClick={() => setAll(true)}>
          <Glyph of={ChevronsUp} size={13} /> {plural(hidden, 'earlier tool call')}
        </button>
      )}
      {blocks.slice(hidden).map((block) => (
        <BlockView key={block.key} block={block} live={false} />
      ))}
    </div>
  );
}
