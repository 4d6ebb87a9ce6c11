import { plural } from '@renderer/client/format';
import { useDraft } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { DiffView } from '@renderer/ui/code/diff';
import { Button } from '@renderer/ui/controls/button';
import { Segments, TextArea } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { GitMerge, RotateCcw } from 'lucide-react';
import { type MergeConflict, type Take, takesOf } from '../../contract/merges/conflict-resolutions';
import type { MergeState } from '../../contract/state';
import type { MemberActs } from '../acts';
import teamsStyles from '../teams.module.css';
import chatStyles from './chat.module.css';
import styles from './merge-card.module.css';
import { byHand, type Choice, chosen, readChoices, toSend, undecided } from './merge-choices';

interface MergeCardProps {
  readonly runId: number;
  readonly activationId: number;
  readonly merge: MergeState;
  readonly acts: MemberActs;
  /** The team can still be asked for the merge. */
  readonly live: boolean;
  /** The run's address: the run can merge the branch into the checkout after the team's end. */
  readonly run: string;
}

/** A merge that needs more than a yes: each conflict is decided here; a declined merge can be tried again. */
export function MergeCard({ runId, activationId, merge, acts, live, run }: MergeCardProps) {
  const { member, rehearsal, status } = merge;
  const target = rehearsal?.target ?? 'your branch';
  const over = status === 'declined';
  return (
    <section className={`${chatStyles.chatBlock} ${chatStyles.mergeCard}`} aria-label={`Merge of ${member}`}>
      <header className={teamsStyles.chatHead}>
        <span className={`status ${over ? 'grey' : 'waits'}`}>
          <Glyph of={GitMerge} size={14} />
          <span>Merge</span>
        </span>
        <strong className="cut">
          {over ? `${member} is not merged` : `Merge ${member} into ${target}: resolve the conflicts`}
        </strong>
      </header>
      {over ? (
        <footer className={chatStyles.resultActs}>
          <span className="quiet">You declined it. The branch is kept.</span>
          <span className={teamsStyles.resultGap} />
          {live ? (
            <Button icon={RotateCcw} onClick={() => acts.merge(member)}>
              Try the merge again
            </Button>
          ) : (
            <a href={run}>Apply it from the page of the run</a>
          )}
        </footer>
      ) : (
        <Conflicts runId={runId} activationId={activationId} merge={merge} />
      )}
    </section>
  );
}

function Conflicts({ runId, activationId, merge }: Pick<MergeCardProps, 'runId' | 'activationId' | 'merge'>) {
  const [kept, keep] = useDraft(`team/${runId}/${activationId}/merge/${merge.id}`);
  const choices = readChoices(kept);
  const conflicts = merge.rehearsal?.conflicts ?? [];
  const open = undecided(conflicts, choices);
  const place = { runId, activationId, mergeId: merge.id };
  const set = (path: string, choice: Choice) => keep(JSON.stringify({ ...choices, [path]: choice }));
  const confirm = async () => {
    const sent = await attempt(call('team.mergeConfirm', { ...place, choices: toSend(conflicts, choices) }));
    if (sent !== null) keep('');
  };
  const files = plural(merge.rehearsal?.files ?? 0, 'file');
  return (
    <>
      {merge.rehearsal?.moved !== undefined && <p>{merge.rehearsal.moved} Look again.</p>}
      <p className="quiet">
        {files} will change, {plural(conflicts.length, 'file')} in conflict. Your checkout is unchanged until
        you merge.
      </p>
      {conflicts.map((conflict) => (
        <ConflictFile
          key={conflict.path}
          conflict={conflict}
          member={merge.member}
          choice={chosen(conflict, choices)}
          onChoose={(choice) => set(conflict.path, choice)}
        />
      ))}
      <footer className={chatStyles.resultActs}>
        <Button onClick={() => void attempt(call('team.mergeDecline', place))}>Not now</Button>
        <span className="quiet note">{open.length > 0 ? `Not resolved yet: ${open.join(', ')}` : ''}</span>
        <span className={teamsStyles.resultGap} />
        <Button tone="primary" icon={GitMerge} disabled={open.length > 0} onClick={() => void confirm()}>
          Merge {files} into {merge.rehearsal?.target}
        </Button>
      </footer>
    </>
  );
}

interface ConflictFileProps {
  readonly conflict: MergeConflict;
  readonly member: string;
  readonly choice: Choice | null;
  readonly onChoose: (choice: Choice) => void;
}

function ConflictFile({ conflict, member, choice, onChoose }: ConflictFileProps) {
  const { path, ours, theirs } = conflict;
  const takes = takesOf(conflict);
  const labels = { ours: 'Ours', theirs: `Theirs (${member})`, both: 'Both', by_hand: 'By hand' };
  const take = (value: Take | '') => {
    if (value === 'by_hand') onChoose({ take: value, text: choice?.text ?? byHand(conflict) });
    else if (value !== '') onChoose({ take: value });
  };
  return (
    <section className={styles.conflict} aria-label={`Conflict in ${path}`}>
      <header className={teamsStyles.chatHead}>
        <span className="mono cut" title={path}>
          {path}
        </span>
        <span className="grow" />
        <Segments<Take | ''>
          label={`Version of ${path} to keep`}
          value={choice?.take ?? ''}
          options={takes.map((value) => ({ value, label: labels[value] }))}
          onChange={take}
        />
      </header>
      {choice?.take === 'by_hand' ? (
        <TextArea
          className={`mono ${styles.conflictText}`}
          aria-label={`${path}, by hand`}
          rows={10}
          value={choice.text ?? byHand(conflict)}
          onChange={(event) => onChoose({ take: 'by_hand', text: event.target.value })}
        />
      ) : (
        <DiffView path={path} oldText={ours} newText={theirs ?? ''} />
      )}
      <p className="faint note">
        {ours === null && 'You do not have this file. '}
        {theirs === null && `${member} deleted it. `}
        {!takes.includes('by_hand') && 'The file is too long to edit here. '}
        {choice?.take === 'by_hand'
          ? 'This text replaces the file.'
          : `Red is your version, green is ${member}’s.`}
      </p>
    </section>
  );
}
