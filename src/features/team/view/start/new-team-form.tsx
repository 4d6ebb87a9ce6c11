import { useDraft, useQuery, useStart } from '@renderer/client/hooks';
import { firstUsable } from '@renderer/parts/controls/first-usable';
import { Button } from '@renderer/ui/controls/button';
import { Field, Select, TextArea, TextInput } from '@renderer/ui/controls/field';
import { BookmarkPlus, Play, UserPlus } from 'lucide-react';
import { useState } from 'react';
import { saveTemplate } from '../save-template';
import teamsStyles from '../teams.module.css';
import { begin } from './begin';
import { addMember, blankMember, budgetOf, configOf, missing, readDraft, type TeamDraft } from './form';
import { MemberFields, type Profile } from './member-fields';
import styles from './new-team-form.module.css';

const blankTeam = (agent: string): TeamDraft => ({
  name: '',
  lead: '',
  instruction: '',
  tokens: '',
  dollars: '',
  members: [blankMember(1, agent)],
});

/** The form for a new team; drafts are kept. */
export function NewTeamForm({ projectId }: { readonly projectId: number }) {
  const { value } = useQuery('agent.list', { projectId });
  const profiles: Profile[] = (value ?? []).map(({ profile }) => ({ id: profile.id, name: profile.name }));
  const agent = firstUsable(value ?? [])?.profile.id ?? '';
  const [kept, keep] = useDraft(`team/new/${projectId}`);
  const draft = readDraft(kept, blankTeam(agent));
  const set = (change: Partial<TeamDraft>) => keep(JSON.stringify({ ...draft, ...change }));
  const [starting, setStarting] = useState(false);
  const why = missing(draft);
  const startOnce = useStart(`${projectId} ${kept}`);
  const start = async () => {
    setStarting(true);
    const wanted = { projectId, name: draft.name.trim(), config: configOf(draft), budget: budgetOf(draft) };
    const started = await startOnce((uid) => begin({ uid, ...wanted }));
    setStarting(false);
    if (started) keep('');
  };
  return (
    <form
      className={teamsStyles.teamForm}
      aria-label="A team by hand"
      onSubmit={(event) => {
        event.preventDefault();
        if (why === null) void start();
      }}
    >
      <Field label="Name">
        {(ids) => (
          <TextInput {...ids} value={draft.name} onChange={(event) => set({ name: event.target.value })} />
        )}
      </Field>
      <Field
        label="Lead"
        hint={
          draft.lead === ''
            ? 'You give each member its rounds.'
            : 'The agent adds members and talks to them; you talk to it.'
        }
      >
        {(ids) => (
          <Select {...ids} value={draft.lead} onChange={(event) => set({ lead: event.target.value })}>
            <option value="">You</option>
            {profiles.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {draft.lead !== '' && (
        <Field label="Task of the lead">
          {(ids) => (
            <TextArea
              {...ids}
              rows={3}
              value={draft.instruction}
              onChange={(event) => set({ instruction: event.target.value })}
            />
          )}
        </Field>
      )}
      <ol className={styles.teamMembers} aria-label="Members">
        {draft.members.map((member, index) => (
          <MemberFields
            key={member.id}
            member={member}
            number={index + 1}
            profiles={profiles}
            onChange={(change) =>
              set({ members: draft.members.map((one) => (one === member ? { ...one, ...change } : one)) })
            }
            onRemove={() => set({ members: draft.members.filter((one) => one !== member) })}
          />
        ))}
      </ol>
      <BudgetFields draft={draft} onChange={set} />
      <FormFoot
        why={why}
        starting={starting}
        onAdd={() => keep(JSON.stringify(addMember(draft, agent)))}
        onSave={() => void saveTemplate({ projectId, name: draft.name.trim(), config: configOf(draft) })}
      />
    </form>
  );
}

interface FormFootProps {
  /** Why the team cannot be started yet; null if it can. */
  readonly why: string | null;
  readonly starting: boolean;
  readonly onAdd: () => void;
  readonly onSave: () => void;
}

function FormFoot({ why, starting, onAdd, onSave }: FormFootProps) {
  return (
    <footer className={teamsStyles.composerLine}>
      <Button icon={UserPlus} onClick={onAdd}>
        Add a member
      </Button>
      <span className="grow note waits-text" role="status" id="team-why">
        {why}
      </span>
      <Button icon={BookmarkPlus} disabled={why !== null} aria-describedby="team-why" onClick={onSave}>
        Save as template
      </Button>
      <Button
        tone="primary"
        type="submit"
        icon={Play}
        disabled={why !== null || starting}
        aria-describedby="team-why"
      >
        Start the team
      </Button>
    </footer>
  );
}

interface BudgetFieldsProps {
  readonly draft: TeamDraft;
  readonly onChange: (change: Partial<TeamDraft>) => void;
}

function BudgetFields({ draft, onChange }: BudgetFieldsProps) {
  return (
    <>
      <Field label="Token budget" hint="For the whole team; at the limit you are asked. Empty: no limit.">
        {(ids) => (
          <TextInput
            {...ids}
            inputMode="numeric"
            value={draft.tokens}
            onChange={(event) => onChange({ tokens: event.target.value })}
          />
        )}
      </Field>
      <Field label="Cost budget ($)" hint="For the whole team, if the agents report their cost.">
        {(ids) => (
          <TextInput
            {...ids}
            inputMode="decimal"
            value={draft.dollars}
            onChange={(event) => onChange({ dollars: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
