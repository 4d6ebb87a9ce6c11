import { capabilitiesOf } from '@areas/agents/contract/agent-kinds';
import { onFormKey } from '@areas/gates/view/parts/answer/form-key';
import { useQuery } from '@renderer/client/hooks';
import { hashOf } from '@renderer/client/route';
import { sendCaps } from '@renderer/parts/controls/act';
import { Button } from '@renderer/ui/controls/button';
import { Check, Field, Segments, Select, TextInput } from '@renderer/ui/controls/field';
import { useState } from 'react';
import {
  type AnswerPolicy,
  type DeliveryFilter,
  type DeliveryKind,
  type DeliveryTarget,
  deliveryKinds,
} from '../../contract/target';
import { type Problems, type TargetDraft, targetOf } from './target-draft';

const KINDS: readonly { value: DeliveryTarget['kind']; label: string }[] = [
  { value: 'openclaw', label: 'OpenClaw' },
  { value: 'webhook', label: 'Webhook' },
  { value: 'command', label: 'Command' },
];
const FILTERS: readonly { value: DeliveryFilter; label: string }[] = [
  { value: 'everything', label: 'Everything' },
  { value: 'loops', label: 'Loops' },
  { value: 'trouble', label: 'Problems' },
];
const KINDS_SENT: Readonly<Record<DeliveryKind, string>> = {
  updates: 'Updates',
  questions: 'Questions',
  ends: 'Results',
};
const ANSWERS: readonly { value: AnswerPolicy; label: string }[] = [
  { value: 'none', label: 'None' },
  { value: 'questions', label: 'Questions' },
  { value: 'everything', label: 'Questions and permissions' },
];

interface TargetFormProps {
  readonly draft: TargetDraft;
  readonly isNew: boolean;
  readonly onSave: (target: DeliveryTarget) => void;
  readonly onClose: () => void;
}

type Set = (change: Partial<TargetDraft>) => void;
interface FieldsProps {
  readonly draft: TargetDraft;
  readonly problems: Problems;
  readonly set: Set;
}

/** The form of a new or existing target. Errors are shown after the first attempt to save. */
export function TargetForm({ draft: begun, isNew, onSave, onClose }: TargetFormProps) {
  const [draft, setDraft] = useState(begun);
  const [tried, setTried] = useState(false);
  const { target, problems } = targetOf(draft);
  const set: Set = (change) => setDraft({ ...draft, ...change });
  const save = () => {
    setTried(true);
    if (target) onSave(target);
  };
  const fields = { draft, set, problems: tried ? problems : {} };
  return (
    <section
      className="rule-form"
      aria-label={isNew ? 'New target' : `Target ${begun.name}`}
      onKeyDown={(event) => onFormKey(event, save, onClose)}
    >
      {isNew && (
        <Field label="Kind">
          {() => (
            <Segments label="Kind" value={draft.kind} options={KINDS} onChange={(kind) => set({ kind })} />
          )}
        </Field>
      )}
      <Field label="Name" error={fields.problems.name}>
        {(ids) => (
          <TextInput {...ids} value={draft.name} onChange={(event) => set({ name: event.target.value })} />
        )}
      </Field>
      <KindFields {...fields} />
      <SentFields {...fields} />
      <Field label="Only">
        {() => (
          <Segments
            label="Only"
            value={draft.filter}
            options={FILTERS}
            onChange={(filter) => set({ filter })}
          />
        )}
      </Field>
      <footer>
        <Button tone="ghost" caps={['Esc']} onClick={onClose}>
          Close
        </Button>
        <Button tone="primary" caps={sendCaps} onClick={save}>
          {isNew ? 'Add the target' : 'Save'}
        </Button>
      </footer>
    </section>
  );
}

/** What is sent, and what can be answered from the target. */
function SentFields({ draft, problems, set }: FieldsProps) {
  return (
    <>
      <Field label="Sends" error={problems.sends}>
        {() => (
          <div className="row">
            {deliveryKinds.map((kind) => (
              <Check
                key={kind}
                checked={draft.sends.includes(kind)}
                onChange={({ target: { checked } }) =>
                  set({
                    sends: deliveryKinds.filter((one) =>
                      one === kind ? checked : draft.sends.includes(one),
                    ),
                  })
                }
              >
                {KINDS_SENT[kind]}
              </Check>
            ))}
          </div>
        )}
      </Field>
      {draft.sends.includes('questions') && (
        <Field
          label="Can be answered there"
          hint="With a token that works once, through the local HTTP API. Permissions include merges and terminal questions."
        >
          {() => (
            <Segments
              label="Can be answered there"
              value={draft.answers}
              options={ANSWERS}
              onChange={(answers) => set({ answers })}
            />
          )}
        </Field>
      )}
    </>
  );
}

function KindFields(props: FieldsProps) {
  switch (props.draft.kind) {
    case 'openclaw':
      return <OpenclawFields {...props} />;
    case 'webhook':
      return <WebhookFields {...props} />;
    case 'command':
      return <CommandFields {...props} />;
  }
}

function OpenclawFields({ draft, problems, set }: FieldsProps) {
  const profiles = useQuery('agent.list', {}).value ?? [];
  const gateways = profiles.filter(({ profile }) => capabilitiesOf(profile).takesDeliveries);
  return (
    <Field
      label="Gateway"
      hint={
        gateways.length === 0 ? (
          <a href={hashOf('agents')}>Create an OpenClaw gateway profile first</a>
        ) : (
          'Each delivery is a message in the main session of the gateway’s agent, which answers it. That costs a turn.'
        )
      }
      error={problems.profile && 'Choose a profile.'}
    >
      {(ids) => (
        <Select {...ids} value={draft.profile} onChange={(event) => set({ profile: event.target.value })}>
          <option value="">Choose a profile</option>
          {gateways.map(({ profile }) => (
            <option key={profile.id} value={profile.id}>
              {profile.name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function WebhookFields({ draft, problems, set }: FieldsProps) {
  const secrets = useQuery('secret.list', {}).value?.names ?? [];
  const names = [...new Set([...secrets, draft.secret].filter((name) => name !== ''))];
  return (
    <>
      <Field
        label="Address"
        hint="Receives JSON with text, kind, run and key, and the header Idempotency-Key."
        error={problems.url}
      >
        {(ids) => (
          <TextInput
            {...ids}
            className="mono"
            placeholder="https://"
            value={draft.url}
            onChange={(event) => set({ url: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Secret"
        hint={
          <>
            Sent exactly as stored in the keychain. <a href={hashOf('agents', 'secrets')}>Secrets</a>
          </>
        }
        error={problems.secret}
      >
        {(ids) => (
          <Select {...ids} value={draft.secret} onChange={(event) => set({ secret: event.target.value })}>
            <option value="">None</option>
            {names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        )}
      </Field>
      {draft.secret !== '' && (
        <Field label="Header of the secret" error={problems.header}>
          {(ids) => (
            <TextInput
              {...ids}
              className="mono"
              value={draft.header}
              onChange={(event) => set({ header: event.target.value })}
            />
          )}
        </Field>
      )}
    </>
  );
}

function CommandFields({ draft, problems, set }: FieldsProps) {
  return (
    <>
      <Field
        label="Command"
        hint="The shell runs it in your home folder, with the text on standard input and the key in MUSTER_DELIVERY_KEY."
        error={problems.command && 'Enter a command.'}
      >
        {(ids) => (
          <TextInput
            {...ids}
            className="mono"
            value={draft.command}
            onChange={(event) => set({ command: event.target.value })}
          />
        )}
      </Field>
      <Field label="Timeout (seconds)" error={problems.seconds && 'From 1 to 600.'}>
        {(ids) => (
          <TextInput
            {...ids}
            className="short"
            inputMode="numeric"
            value={draft.seconds}
            onChange={(event) => set({ seconds: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
