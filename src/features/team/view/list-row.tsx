import { plural } from '@renderer/client/format';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago } from '@renderer/parts/text/ago';
import { Glyph } from '@renderer/ui/controls/icon';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import { MessageSquareDashed, TriangleAlert, UserRound } from 'lucide-react';
import type { MemberRow, TeamRow } from '../contract/summary';
import styles from './list-row.module.css';
import type { TeamListRow } from './rows';
import { atWork, memberWord, teamWord, waitsFor } from './words';

export function TeamListItem({ row }: { row: TeamListRow }) {
  switch (row.kind) {
    case 'heading':
      return row.text;
    case 'team':
      return <Team team={row.team} />;
    case 'lead':
      return (
        <div className={`one-line ${styles.threadRow}`}>
          <span className="row-mark">
            <Glyph of={UserRound} size={14} />
          </span>
          <span className="cut grow">Lead</span>
          <Stalled of={row.team.leadStalled} />
          {row.team.leadWorks && <span className="faint note">works</span>}
        </div>
      );
    case 'member': {
      const { member } = row;
      return (
        <div className={`one-line ${styles.threadRow}`} title={`${member.name}: ${member.why}`}>
          <span className="row-mark">
            <Marked word={memberWord[member.word]} markOnly />
          </span>
          <span className={`cut grow ${member.word === 'awaiting_operator' ? styles.threadWaits : ''}`}>
            {member.name}
          </span>
          <Stalled of={member.stalled} />
          {member.queued > 0 && (
            <span className="with-icon faint note" title="Messages queued until its turn ends">
              <Glyph of={MessageSquareDashed} size={12} /> {member.queued}
            </span>
          )}
          <span className="faint note">{member.round > 0 ? `r${member.round}` : ''}</span>
        </div>
      );
    }
  }
}

function Stalled({ of }: { of: MemberRow['stalled'] }) {
  if (of === null) return null;
  return (
    <span className="faint" title={of.why}>
      <Glyph of={TriangleAlert} size={13} />
      <span className="hidden-text">stalled</span>
    </span>
  );
}

function Team({ team }: { team: TeamRow }) {
  const { word, since } = teamWord(team);
  const waits = waitsFor(team);
  const works = atWork(team);
  const under = [
    plural(team.members.length, 'member'),
    works > 0 ? `${works} working` : '',
    team.title === team.runName ? team.projectName : team.runName,
  ];
  return (
    <TwoLines
      mark={<Marked word={word} markOnly />}
      title={team.title}
      end={<Ago at={since} />}
      under={under.filter((part) => part !== '').join(' · ')}
      underEnd={
        waits > 0 && (
          <span className={`count ${styles.teamWaits}`} title="What waits for you here">
            {waits} <span className="hidden-text">wait for you</span>
          </span>
        )
      }
    />
  );
}
