import { IconButton } from '@renderer/ui/controls/button';
import { Check, Select, TextArea, TextInput } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import { X } from 'lucide-react';
import teamsStyles from '../teams.module.css';
import type { MemberDraft } from './form';
import styles from './member-fields.module.css';

export interface Profile {
  readonly id: string;
  readonly name: string;
}

interface MemberFieldsProps {
  readonly member: MemberDraft;
  readonly number: number;
  readonly profiles: readonly Profile[];
  readonly onChange: (change: Partial<MemberDraft>) => void;
  readonly onRemove: () => void;
}

/** One member of a new team. */
export function MemberFields({ member, number, profiles, onChange, onRemove }: MemberFieldsProps) {
  const of = member.name.trim() || `member ${number}`;
  return (
    <li className={styles.memberFields} aria-label={of}>
      <div className={teamsStyles.composerLine}>
        <TextInput
          className={styles.memberFieldsName}
          aria-label={`Name of member ${number}`}
          placeholder="Name"
          value={member.name}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <Select
          aria-label={`Agent of ${of}`}
          value={member.agent}
          onChange={(event) => onChange({ agent: event.target.value })}
        >
          {profiles.every(({ id }) => id !== member.agent) && (
            <option value={member.agent}>choose an agent</option>
          )}
          {profiles.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
        <Check checked={member.iterative} onChange={(event) => onChange({ iterative: event.target.checked })}>
          Iterative
        </Check>
        <span className="grow" />
        <IconButton icon={X} label={`Remove ${of}`} onClick={onRemove} />
      </div>
      <TextArea
        rows={2}
        aria-label={`Task of ${of}`}
        placeholder="What should it do?"
        value={member.prompt}
        onChange={(event) => onChange({ prompt: event.target.value })}
      />
      <Fold head={<span>More</span>}>
        <div className={`${teamsStyles.composerLine} ${styles.memberMore}`}>
          <Check checked={member.readOnly} onChange={(event) => onChange({ readOnly: event.target.checked })}>
            Read-only
          </Check>
          <Check
            checked={member.planApproval}
            onChange={(event) => onChange({ planApproval: event.target.checked })}
          >
            Write a plan for your approval first
          </Check>
          <TextInput
            className="short"
            aria-label={`Model of ${of}`}
            placeholder="Model"
            value={member.model}
            onChange={(event) => onChange({ model: event.target.value })}
          />
          <TextInput
            className="short"
            inputMode="numeric"
            aria-label={`Idle timeout of ${of} in minutes`}
            placeholder="Idle minutes"
            value={member.idleMinutes}
            onChange={(event) => onChange({ idleMinutes: event.target.value })}
          />
        </div>
      </Fold>
    </li>
  );
}
