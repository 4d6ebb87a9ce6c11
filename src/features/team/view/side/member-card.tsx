import type { AgentProfile } from '@contract/catalog/profile';
import { plural, spend } from '@renderer/client/format';
import { Ago, Until } from '@renderer/parts/ago';
import { Marked } from '@renderer/parts/marks';
import { Agent } from '@renderer/parts/people';
import { Button, IconButton } from '@renderer/ui/button';
import { Select } from '@renderer/ui/field';
import { Glyph } from '@renderer/ui/icon';
import { CircleStop, GitBranch, GitMerge, RotateCcw, SquareTerminal, TriangleAlert } from 'lucide-react';
import type { MemberRow } from '../../contract/summary';
import type { MemberActs } from '../acts';
import teamsStyles from '../teams.module.css';
import { memberWord, roundOf, shortBranch } from '../words';
import styles from './member-card.module.css';

interface MemberCardProps {
  readonly member: MemberRow;
  /** The agents of the run. */
  readonly agents: readonly Pick<AgentProfile, 'id' | 'name'>[];
  readonly acts: MemberActs;
  readonly live: boolean;
  readonly onOpen: () => void;
}

/** A member: what it is at, since when and why; what it is, what it costs, what it said last; what can be done. */
export function MemberCard({ member, agents, acts, live, onOpen }: MemberCardProps) {
  const { name, since, why, until, stalled, branch, lastWords, queued } = member;
  const used = spend(member.tokens, member.costUsd);
  return (
    <article className={styles.memberCard} aria-label={`Member ${name}`}>
      <header className={teamsStyles.chatHead}>
        <button type="button" className={`${styles.memberName} cut`} onClick={onOpen}>
          {name}
        </button>
        <span className="grow" />
        <Marked word={memberWord[member.word]} />
      </header>
      <p className={`note quiet ${styles.memberWhy}`} title={why}>
        <span className="cut">{why.replace(`${name}: `, '')}</span>
        {until === null ? <Ago at={since} /> : <Until at={until} />}
      </p>
      {stalled !== null && (
        <p className="note waits-text with-icon">
          <Glyph of={TriangleAlert} size={13} /> Stalled: {stalled.why}, seen <Ago at={stalled.since} />
        </p>
      )}
      {member.wrote > 0 && (
        <p className="note waits-text with-icon">
          <Glyph of={TriangleAlert} size={13} /> {plural(member.wrote, 'file')} changed, though it only reads
        </p>
      )}
      <p className={`note faint ${styles.memberFacts}`}>
        <Agent id={member.agent} />
        {member.model !== null && <span>{member.model}</span>}
      </p>
      <p className={`note faint ${styles.memberFacts}`}>
        <span>{roundOf(member)}</span>
        <span>{member.iterative ? 'iterative' : 'one-shot'}</span>
        {member.readOnly && <span>reads only</span>}
        {used !== '' && <span>{used}</span>}
        {queued > 0 && <span>{plural(queued, 'message')} waiting</span>}
      </p>
      {branch !== null && (
        <p className="note faint with-icon mono" title={branch}>
          <Glyph of={GitBranch} size={12} />
          <span className="cut">{shortBranch(branch)}</span>
        </p>
      )}
      {lastWords !== null && <p className={`note quiet ${styles.memberWords} reads`}>{plain(lastWords)}</p>}
      {live && member.failed && <OtherAgent member={member} agents={agents} acts={acts} />}
      <CardActs member={member} acts={acts} live={live} />
    </article>
  );
}

/** The words without the marks of their form: one line is read, not drawn. */
const plain = (text: string): string =>
  text
    .replace(/[*_`#>|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A failed member goes on with another agent, in its folder and with what was said so far. */
function OtherAgent({ member, agents, acts }: Pick<MemberCardProps, 'member' | 'agents' | 'acts'>) {
  const others = agents.filter(({ id }) => id !== member.agent);
  if (others.length === 0) return null;
  return (
    <Select
      aria-label={`Retry ${member.name} with another agent`}
      value=""
      onChange={(event) => acts.restore(member.name, event.target.value)}
    >
      <option value="" disabled>
        Retry with another agent
      </option>
      {others.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function CardActs({ member, acts, live }: Pick<MemberCardProps, 'member' | 'acts' | 'live'>) {
  const { name, stopping, ended, failed, mergeable } = member;
  return (
    <footer className={styles.memberActs}>
      {member.sessionId !== null && (
        <IconButton
          icon={SquareTerminal}
          label={`Open the session of ${name}`}
          onClick={() => acts.session(member)}
        />
      )}
      {live && failed && (
        <Button tone="ghost" icon={RotateCcw} onClick={() => acts.restore(name)}>
          Send again
        </Button>
      )}
      {live && mergeable && (
        <Button tone="ghost" icon={GitMerge} onClick={() => acts.merge(name)}>
          Merge
        </Button>
      )}
      <span className="grow" />
      {live && !ended && (
        <Button
          tone="ghost"
          icon={CircleStop}
          tip={
            stopping
              ? `Ends the turn of ${name} at once; its branch stays`
              : member.iterative
                ? `${name} has one last round, then stops`
                : `${name} stops when its turn has ended`
          }
          // Two clicks at once ask to shut down, and do not force.
          onClick={(event) => event.detail < 2 && acts.shutdown(name, stopping)}
        >
          {stopping ? 'Force' : 'Shut down'}
        </Button>
      )}
    </footer>
  );
}
