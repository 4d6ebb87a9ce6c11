import type { RunState } from '@contract/run/state';
import { useHandlers, useMoment, useRunCalmly, useSwitch } from '@renderer/client/hooks';
import { hashOf, navigate, replaceRoute } from '@renderer/client/route';
import { atMoment } from '@renderer/client/runs/moment';
import { ActIcon } from '@renderer/parts/controls/act';
import { TextInput } from '@renderer/ui/controls/field';
import { Tabs } from '@renderer/ui/controls/tabs';
import { Stack, type StackRow } from '@renderer/ui/lists/stack';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { MemberRow } from '../../contract/summary';
import { memberRows, teamIsLive } from '../../contract/summary';
import { type MemberActs, memberActs } from '../acts';
import { teamOf } from '../chat/team-of';
import { hashOfThread, pathOf } from '../place';
import { membersMatching } from '../rows';
import { MemberCard } from './member-card';
import styles from './side.module.css';
import { SpawnForm } from './spawn-form';
import { TaskBoard } from './tasks';

interface TeamSideProps {
  readonly runId: number;
  readonly activationId: number | null;
}

type CardRow = StackRow & { readonly member: MemberRow };

/** More members than are in view at once. */
const FEW_MEMBERS = 6;

/** The team's members with their status, and its tasks. */
export function TeamSide({ runId, activationId }: TeamSideProps) {
  const moment = useMoment();
  const { state } = useRunCalmly(runId, moment);
  const [tasks, showTasks] = useSwitch('teams.side.tasks', false);
  const [spawning, setSpawning] = useState(false);
  const team = teamOf(state, { activationId });
  const now = moment === null;
  const live = now && state !== null && team !== null && teamIsLive(state, team.activationId);
  useHandlers({
    'team.members': () => showTasks(false),
    'team.tasks': () => showTasks(true),
    'team.spawn': live
      ? () => {
          showTasks(false);
          setSpawning(true);
        }
      : null,
  });
  if (state === null || team === null) return <aside className="pane" aria-label="Members" />;
  const place = { runId, activationId: team.activationId };
  const members = memberRows(state, team);
  const board = Object.values(team.tasks);
  const open = board.filter(({ status }) => status !== 'completed' && status !== 'cancelled').length;
  // Answered in its own thread, whatever thread is open.
  const ask = (name: string) => {
    navigate(hashOfThread(runId, team.activationId, name));
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('[data-part="composer"] textarea')?.focus(),
    );
  };
  const acts = memberActs({ ...place, live, ask });
  return (
    <aside className={`pane ${styles.teamSide}`} data-part="team-side" aria-label="Members and tasks">
      <header className="pane-head">
        <Tabs
          label="Team panel"
          value={tasks ? 'tasks' : 'members'}
          tabs={[
            { id: 'members', label: 'Members', count: members.length },
            { id: 'tasks', label: 'Tasks', count: open },
          ]}
          onChange={(id) => showTasks(id === 'tasks')}
        />
        <span className="grow" />
        {live && <ActIcon action="team.spawn" icon={UserPlus} label="Add a member" active={spawning} />}
      </header>
      {tasks ? (
        <TaskBoard place={place} team={team} live={live} />
      ) : (
        <>
          {spawning && <SpawnForm place={place} state={state} onClose={() => setSpawning(false)} />}
          <Members members={members} state={state} acts={acts} live={live} place={place} />
        </>
      )}
    </aside>
  );
}

interface MembersProps {
  readonly members: readonly MemberRow[];
  readonly state: RunState;
  readonly acts: MemberActs;
  readonly live: boolean;
  readonly place: { readonly runId: number; readonly activationId: number };
}

/** The cards of the members; those of a large team can be searched. */
function Members({ members, state, acts, live, place }: MembersProps) {
  const [wanted, setWanted] = useState('');
  const isMany = members.length > FEW_MEMBERS;
  const shown = membersMatching(members, isMany ? wanted : '');
  const rows = shown.map((member): CardRow => ({ key: member.name, guess: 112, member }));
  const agents = Object.values(state.profiles);
  const open = (thread: string) =>
    replaceRoute(atMoment(hashOf(...pathOf({ ...place, thread, messageId: null }))));
  return (
    <>
      {isMany && (
        <div className={styles.memberSearch}>
          <TextInput
            type="search"
            aria-label="Search the members"
            placeholder="Name, agent or status"
            value={wanted}
            onChange={(event) => setWanted(event.target.value)}
          />
        </div>
      )}
      {rows.length === 0 && members.length > 0 && <p className="quiet">No member matches.</p>}
      <div className={styles.sideStack}>
        <Stack
          label="Members"
          rows={rows}
          draw={({ member }) => (
            <MemberCard
              member={member}
              agents={agents}
              acts={acts}
              live={live}
              onOpen={() => open(member.name)}
            />
          )}
        />
      </div>
    </>
  );
}
