import { LookBack } from '@areas/runs/view/parts/scrubber/shown-run';
import { stepTitle } from '@contract/run/scope/path';
import { plural, spend } from '@renderer/client/format';
import { useHandlers } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { atMoment } from '@renderer/client/runs/moment';
import { attempt } from '@renderer/client/toasts';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { Agent } from '@renderer/parts/marks/agent-name';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago, Until } from '@renderer/parts/text/ago';
import { usePast } from '@renderer/parts/text/shown-time';
import { Glyph } from '@renderer/ui/controls/icon';
import { BookmarkPlus, CheckCheck, GitBranch, Link, ListTree, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { LEAD, OPERATOR } from '../../contract/events';
import type { MemberRow } from '../../contract/summary';
import { leadProfileOf, spentIn, teamIsLive } from '../../contract/summary';
import { templateOf } from '../../contract/template';
import { hashOfThread } from '../place';
import { SaveTemplate } from '../save-template';
import { endsWhen, memberWord, roundIfUnsaid, shortBranch, whyNotEnded } from '../words';
import type { ChatProps } from './team-of';

interface ChatHeadProps extends ChatProps {
  readonly members: readonly MemberRow[];
}

/** The head of a thread: the team or member, its status, and actions. */
export function ChatHead({ at, state, team, members }: ChatHeadProps) {
  const { runId, activationId, thread } = at;
  const stepId = state.activations[activationId]?.stepId;
  const title = stepId === undefined ? state.name : stepTitle(state, stepId);
  const member = members.find(({ name }) => name === thread) ?? null;
  const live = teamIsLive(state, activationId);
  const now = usePast() === null;
  const ends = live && now;
  const [saving, setSaving] = useState(false);
  const held = ends ? whyNotEnded(state, team) : null;
  const cleanup = () => void attempt(call('team.cleanup', { runId, activationId }));
  useHandlers({
    'team.run': () => navigate(hashOf('run', state.uid)),
    'team.save': () => setSaving(true),
    'team.cleanup': ends && held === null ? cleanup : null,
  });
  return (
    <header className="detail-head">
      <div className="detail-line">
        <h1 className="cut reads">
          {thread === 'all' ? (
            title
          ) : (
            <a href={atMoment(hashOfThread(runId, activationId, 'all'))}>{title}</a>
          )}
          {thread !== 'all' && <span className="faint"> / </span>}
          {thread === LEAD ? 'Lead' : thread !== 'all' && thread}
        </h1>
        <span className="grow" />
        <LookBack />
        <ActIcon action="team.copy" icon={Link} label="Copy the address of the thread" />
        <ActIcon action="team.save" icon={BookmarkPlus} label="Save the team as a template" />
        <ActIcon action="team.run" icon={ListTree} label="Open the run" />
        {ends && (
          <ActButton
            action="team.cleanup"
            icon={CheckCheck}
            disabled={held !== null}
            tip={held ?? 'Its members stop; their branches are kept'}
          >
            End the team
          </ActButton>
        )}
      </div>
      {member === null ? (
        <TeamFacts state={state} team={team} members={members} live={live} />
      ) : (
        <MemberFacts member={member} />
      )}
      {saving && (
        <SaveTemplate
          projectId={state.projectId}
          config={templateOf(state, team)}
          onClose={() => setSaving(false)}
        />
      )}
    </header>
  );
}

function TeamFacts({
  state,
  team,
  members,
  live,
}: Pick<ChatHeadProps, 'state' | 'team' | 'members'> & { readonly live: boolean }) {
  const { activationId } = team;
  const lead = leadProfileOf(state, activationId);
  const activation = state.activations[activationId];
  const spent = spentIn(state, activation?.turnIds ?? []);
  const used = spend(spent.tokens, spent.costUsd);
  return (
    <p className="head-facts quiet note">
      <span>{plural(members.length, 'member')}</span>
      <span className="with-icon">{lead === null ? 'you lead' : <>led by {<Agent id={lead} />}</>}</span>
      {live && team.leadStalled !== null && (
        <span className="with-icon waits-text">
          <Glyph of={TriangleAlert} size={13} /> The lead stalls: {team.leadStalled.why}, seen{' '}
          <Ago at={team.leadStalled.since} />
        </span>
      )}
      {live && team.cleanedUp !== null && <span className="waits-text">{endsWhen(team)}</span>}
      {used !== '' && <span>{used}</span>}
      <span>
        {live ? 'started ' : 'ended '}
        <Ago at={(live ? activation?.startedAt : activation?.finishedAt) ?? state.startedAt} />
      </span>
      {!live && team.cleanedUp !== null && (
        <span>ended by {team.cleanedUp.by === OPERATOR ? 'you' : 'the lead'}</span>
      )}
    </p>
  );
}

function MemberFacts({ member }: { member: MemberRow }) {
  return (
    <p className="head-facts quiet note">
      <Marked word={memberWord[member.word]} />
      <span className="cut" title={member.why}>
        {member.why}
      </span>
      {member.until === null ? <Ago at={member.since} /> : <Until at={member.until} />}
      {roundIfUnsaid(member) !== null && <span>{roundIfUnsaid(member)}</span>}
      {member.branch !== null && (
        <span className="with-icon mono" title={member.branch}>
          <Glyph of={GitBranch} size={12} />
          <span className="cut">{shortBranch(member.branch)}</span>
        </span>
      )}
    </p>
  );
}
