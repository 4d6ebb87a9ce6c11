import { Glyph, type Icon } from '@renderer/ui/controls/icon';
import { Status } from '@renderer/ui/controls/status';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import {
  Bot,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  KeyRound,
  MessageSquareCode,
  ScrollText,
  SquareTerminal,
} from 'lucide-react';
import { type Kind, kindWords } from './fields';
import type { AgentListRow } from './rows';

const kindIcons: Record<Kind, Icon> = {
  acp: Bot,
  gateway: MessageSquareCode,
  scripted: ScrollText,
  cli: SquareTerminal,
};

const SOURCES = {
  builtin: 'built in',
  operator: 'yours',
  project: 'of a project',
  detected: 'found on this machine',
};

export function AgentRowView({ row }: { row: AgentListRow }) {
  if (row.heading) return <>{row.text}</>;
  if (row.kind === 'secrets') {
    return (
      <div className="one-line">
        <Glyph of={KeyRound} />
        <span className="row-title">Secrets</span>
      </div>
    );
  }
  if (row.kind === 'detected') {
    const { detected } = row;
    return (
      <TwoLines
        mark={<Glyph of={kindIcons[detected.profile.kind]} />}
        title={detected.name}
        end={<Found found={detected.found} />}
        under={<span className="mono">{detected.found ? detected.version : detected.install}</span>}
      />
    );
  }
  const { profile, source, trouble } = row.profile;
  return (
    <TwoLines
      mark={<Glyph of={kindIcons[profile.kind]} />}
      title={profile.name}
      end={
        trouble ? (
          <Status tone="failed" icon={CircleAlert} markOnly>
            {trouble}
          </Status>
        ) : (
          row.found && <Found found={row.found.found} />
        )
      }
      under={`${kindWords[profile.kind]} · ${SOURCES[source]}`}
    />
  );
}

function Found({ found }: { found: boolean }) {
  return found ? (
    <Status tone="done" icon={CircleCheck} markOnly>
      Installed
    </Status>
  ) : (
    <Status tone="grey" icon={CircleDashed} markOnly>
      Not installed
    </Status>
  );
}
