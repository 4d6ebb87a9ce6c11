import { permissionWords } from '@areas/permissions/view/parts/permission-words';
import { ownValue } from '@contract/own';
import { useDraft, useHandlers } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { Button } from '@renderer/ui/controls/button';
import { Confirm } from '@renderer/ui/controls/dialog';
import { Note } from '@renderer/ui/layout/note';
import { Copy, FlaskConical, Save, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { AgentTest, ProfileRow } from '../contract/procedures';
import { fieldsOf, type Kind, kindWords } from './fields';
import { parseValues, readEdits, type Values, writeEdits } from './form';
import { PlainSecrets } from './plain-secrets';
import { ProfileField } from './profile-field';
import { TestResult } from './test-result';

interface ProfileFormProps {
  /** The key under which unsaved changes are stored. */
  readonly draft: string;
  readonly kind: Kind;
  readonly values: Values;
  readonly source: 'new' | ProfileRow['source'];
  readonly title: string;
  readonly note?: ReactNode;
}

const READ_ONLY: Partial<Record<ProfileFormProps['source'], string>> = {
  builtin: 'This profile is built in. Duplicate it to change something.',
  project: 'This profile comes from the project’s .muster/agents.yaml. Change it there, or duplicate it.',
};

/** One profile: its fields by kind, its errors, and a test of its values. */
export function ProfileForm({ draft, kind, values: initial, source, title, note }: ProfileFormProps) {
  const [kept, keep] = useDraft(draft);
  const values = { ...initial, ...readEdits(kept) };
  const [tried, setTried] = useState(false);
  const [removing, setRemoving] = useState(false);
  const test = useTest();
  const parsed = parseValues(kind, values);
  const errors = parsed.ok || !tried ? {} : parsed.errors;
  const fixed = READ_ONLY[source];
  const choices = test.result?.choices;
  const offered = (name: string) =>
    name === 'mode' ? choices?.modes : name === 'model' ? choices?.models : undefined;
  const permissionNote = parsed.ok ? permissionWords(parsed.profile) : null;
  const withProfile = (act: (profile: Profile) => Promise<void>) => {
    setTried(true);
    if (parsed.ok) void act(parsed.profile);
  };
  const saveAll = async (profile: Profile) => {
    const onward = onwardFrom();
    const saved = await save(profile);
    if (saved === null) return;
    setTried(false);
    let writtenSince = false;
    keep((now) => {
      writtenSince = now !== kept;
      return writtenSince ? now : '';
    });
    if (!writtenSince) onward(hashOf('agent', saved.id));
  };
  useHandlers({
    'agent.save': fixed ? null : () => withProfile(saveAll),
    'agent.test': test.running ? null : () => withProfile(test.run),
    'agent.copy':
      source === 'new' ? null : () => navigate(`${hashOf('agents', 'new', kind)}?from=${values.id}`),
    'agent.remove': source === 'operator' ? () => setRemoving(true) : null,
  });
  return (
    <article className="pane" aria-label={`Profile ${title}`}>
      <header className="detail-head">
        <div className="detail-line">
          <h1 className="cut">{title}</h1>
          <span className="faint">{kindWords[kind]}</span>
          <span className="grow" />
          <FormActs source={source} testing={test.running} />
        </div>
      </header>
      <div className="scroll profile-body" data-focus tabIndex={-1}>
        {note}
        {fixed && <Note>{fixed}</Note>}
        {kept !== '' && <Unsaved onDiscard={() => keep('')} />}
        {permissionNote && <Note>{permissionNote}</Note>}
        {parsed.ok && fixed === undefined && (
          <PlainSecrets profile={parsed.profile} onMoved={(profile) => void saveAll(profile)} />
        )}
        <Testing test={test} />
        <div className="fields">
          {fieldsOf[kind].map((spec) => (
            <ProfileField
              key={spec.name}
              spec={spec}
              value={ownValue(values, spec.name) ?? ''}
              error={ownValue(errors, spec.name)}
              offered={offered(spec.name)}
              disabled={fixed !== undefined || (spec.name === 'id' && source === 'operator')}
              onChange={(value) => keep(writeEdits(initial, { ...values, [spec.name]: value }))}
            />
          ))}
        </div>
      </div>
      {removing && (
        <Confirm
          title={`Remove the profile “${title}”?`}
          verb="Remove"
          onConfirm={() => void remove(String(values.id))}
          onClose={() => setRemoving(false)}
        >
          Workflows that name it will report an error. Runs keep the copy they started with.
        </Confirm>
      )}
    </article>
  );
}

function Unsaved({ onDiscard }: { onDiscard: () => void }) {
  return <Note acts={<Button onClick={onDiscard}>Discard changes</Button>}>Unsaved changes.</Note>;
}

function Testing({ test }: { test: Pick<ReturnType<typeof useTest>, 'running' | 'result'> }) {
  return (
    <>
      {test.result && <TestResult test={test.result} />}
      {test.running && <p className="quiet">Testing: starting the agent and saying hello</p>}
    </>
  );
}

function FormActs({ source, testing }: { source: ProfileFormProps['source']; testing: boolean }) {
  return (
    <>
      <ActButton action="agent.test" icon={FlaskConical} disabled={testing}>
        Test
      </ActButton>
      {source !== 'new' && <ActIcon action="agent.copy" icon={Copy} label="Duplicate profile" />}
      {source === 'operator' && <ActIcon action="agent.remove" icon={Trash2} label="Remove the profile" />}
      {(source === 'operator' || source === 'new') && (
        <ActButton action="agent.save" tone="primary" icon={Save}>
          Save
        </ActButton>
      )}
    </>
  );
}

type Profile = Extract<ReturnType<typeof parseValues>, { ok: true }>['profile'];

async function save(profile: Profile): Promise<{ readonly id: string } | null> {
  const saved = await attempt(call('agent.save', { profile }), 'Saved the profile');
  if (saved === null) return null;
  await readAgain();
  return saved.profile;
}

async function remove(id: string): Promise<void> {
  const onward = onwardFrom();
  const done = await attempt(call('agent.remove', { id }), 'Removed the profile');
  if (done === null) return;
  await readAgain();
  onward(hashOf('agents'));
}

/** Detecting agents starts programs; nothing here waits for it. */
async function readAgain(): Promise<void> {
  void refresh('agent.detect');
  await refresh('agent.list');
}

/** Navigates later from this address, unless the operator has left it meanwhile. */
function onwardFrom(): (hash: string) => void {
  const here = window.location.hash;
  return (hash) => {
    if (window.location.hash === here) navigate(hash);
  };
}

/** A test applies to the current values of the form; it is not saved. */
function useTest() {
  const [state, setState] = useState<{ running: boolean; result: AgentTest | null }>({
    running: false,
    result: null,
  });
  const run = async (profile: Profile) => {
    setState({ running: true, result: null });
    const result = await attempt(call('agent.test', { profile }));
    setState({ running: false, result });
  };
  return { ...state, run };
}
