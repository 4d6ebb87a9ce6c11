import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import type { AgentProfile } from '@areas/agents/contract/profile';
import { plural, spend } from '@renderer/client/format';
import { Agent } from '@renderer/parts/marks/agent-name';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago, Until } from '@renderer/parts/text/ago';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { Select } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { CircleStop, GitBranch, GitMerge, RotateCcw, SquareTerminal, TriangleAlert } from 'lucide-react';
import type { MemberRow } from '../../contract/summary';
import type { MemberActs } from '../acts';
import teamsStyles from '../teams.module.css';
import { memberWord, roundIfUnsaid, shortBranch } from '../words';
import styles from './member-card.module.css';

interface MemberCardProps {
  readonly member: MemberRow;
  /** The agents of the run. */
  readonly agents: readonly AgentProfile[];
  readonly acts: MemberActs;
  readonly live: boolean;
  readonly onOpen: () => void;
}

/** A member: its status and reason, its settings, cost, last words, and actions. */
export function MemberCard({ member, agents, acts, live, onOpen }: MemberCardProps) {
  const { name, since, why, until, stalled, lastWords } = member;
  const used = spend(member.tokens, member.costUsd);
  return (
    <article className={styles.memberCard} aria-label={`Member ${name}`}>
      <header className={`${teamsStyles.chatHead} ${styles.memberHead}`}>
        <button type="button" className={`${styles.memberName} cut`} onClick={onOpen}>
          {name}
        </button>
        <span className="grow" />
        <Marked word={memberWord[member.word]} />
        <HeadActs member={member} acts={acts} live={live} />
      </header>
      <p className={`note quiet ${styles.memberWhy}`} title={why}>
        <span className="cut">{why.replace(`${name}: `, '')}</span>
        {until === null ? <Ago at={since} /> : <Until at={until} />}
      </p>
      {stalled !== null && (
        <p className="note quiet with-icon">
          <Glyph of={TriangleAlert} size={13} /> Stalled: {stalled.why}, seen <Ago at={stalled.since} />
        </p>
      )}
      {member.wrote > 0 && (
        <p className="note waits-text with-icon">
          <Glyph of={TriangleAlert} size={13} /> {plural(member.wrote, 'file')} changed, although it is
          read-only
        </p>
      )}
      <MemberFacts member={member} agents={agents} used={used} />
      {lastWords !== null && <p className="note quiet cut reads">{plain(lastWords)}</p>}
      {live && member.failed && <OtherAgent member={member} agents={agents} acts={acts} />}
      <FootActs member={member} acts={acts} live={live} />
    </article>
  );
}

interface MemberFactsProps extends Pick<MemberCardProps, 'member' | 'agents'> {
  readonly used: string;
}

function MemberFacts({ member, agents, used }: MemberFactsProps) {
  const { agent, profileId, model, iterative, readOnly, queued, branch } = member;
  const round = roundIfUnsaid(member);
  const isScripted = agents.some((one) => one.id === profileId && capabilitiesOf(one).rehearsed);
  return (
    <p className={`note faint ${styles.memberFacts}`}>
      <Agent id={agent} />
      {isScripted && <span>rehearsal</span>}
      {model !== null && <span>{model}</span>}
      {round !== null && <span>{round}</span>}
      {!iterative && <span>one-shot</span>}
      {readOnly && <span>read-only</span>}
      {used !== '' && <span>{used}</span>}
      {queued > 0 && <span>{plural(queued, 'message')} queued</span>}
      {branch !== null && (
        <span className="with-icon mono" title={branch}>
          <Glyph of={GitBranch} size={12} />
          <span className="cut">{shortBranch(branch)}</span>
        </span>
      )}
    </p>
  );
}

/** The text without Markdown marks, since one line is not rendered. */
const plain = (text: string): string =>
  text
    .replace(/[*_`#>|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A failed member continues with another agent, in its folder and with the earlier conversation. */
function OtherAgent({ member, agents, acts }: Pick<MemberCardProps, 'member' | 'agents' | 'acts'>) {
  const others = agents.filter(({ id }) => id !== member.profileId);
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

/** Actions that are always available. */
function HeadActs({ member, acts, live }: Pick<MemberCardProps, 'member' | 'acts' | 'live'>) {
  const { name, iterative, stopping, ended, sessionId } = member;
  const then = iterative ? 'one last round, then it stops' : 'it stops when its turn ends';
  return (
    <>
      {sessionId !== null && (
        <IconButton
          icon={SquareTerminal}
          label={`Open the session of ${name}`}
          onClick={() => acts.session(member)}
        />
      )}
      {live && !ended && !stopping && (
        <IconButton
          icon={CircleStop}
          label={`Shut down ${name}: ${then}`}
          onClick={() => acts.shutdown(name, false)}
        />
      )}
    </>
  );
}

/** Actions for its current status. */
function FootActs({ member, acts, live }: Pick<MemberCardProps, 'member' | 'acts' | 'live'>) {
  const { name, stopping, ended, failed, mergeable } = member;
  const forces = stopping && !ended;
  if (!live || !(failed || mergeable || forces)) return null;
  return (
    <footer className={styles.memberActs}>
      {failed && (
        <Button tone="ghost" icon={RotateCcw} onClick={() => acts.restore(name)}>
          Send again
        </Button>
      )}
      {mergeable && (
        <Button tone="ghost" icon={GitMerge} onClick={() => acts.merge(name)}>
          Merge
        </Button>
      )}
      <span className="grow" />
      {forces && (
        <Button
          tone="ghost"
          icon={CircleStop}
          tip={`Ends the turn of ${name} immediately; its branch is kept`}
          onClick={() => acts.shutdown(name, true)}
        >
          Force
        </Button>
      )}
    </footer>
  );
}
