import { onFormKey } from '@areas/gates/view/parts/answer/form-key';
import { useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { sendCaps } from '@renderer/parts/controls/act';
import { Button } from '@renderer/ui/controls/button';
import { Field, Segments, TextInput } from '@renderer/ui/controls/field';
import { useEffect, useRef, useState } from 'react';
import { DryRunOf } from './dry-run';
import { RuleFields } from './rule-fields';
import { draftOf, type RuleWords, type Span } from './rule-words';

const SPANS: readonly Span[] = ['hour', 'today', 'month', 'never'];
const EMPTY: RuleWords = {
  agent: '*',
  tool: '*',
  path: '',
  command: '',
  effect: 'deny',
  reason: '',
  span: 'never',
  projectId: null,
};
const EFFECTS = [
  { value: 'deny', label: 'Deny' },
  { value: 'allow', label: 'Allow' },
] as const;

interface NewRuleProps {
  readonly onMade: () => void;
  readonly onClose: () => void;
}

/** A new rule, tried on the history before it is created. The default is the careful choice. */
export function NewRule({ onMade, onClose }: NewRuleProps) {
  const [words, setWords] = useState(EMPTY);
  const profiles = useQuery('agent.list', {}).value ?? [];
  const projects = useQuery('project.list', {}).value ?? [];
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.querySelector<HTMLElement>('[data-part="pattern"]')?.focus(), []);
  const ids = [...new Set(profiles.map(({ profile }) => profile.id))];
  const agents = [
    { value: '*', label: 'Any agent' },
    ...ids.map((id) => ({ value: id, label: `Only ${id}` })),
  ];
  const [saving, setSaving] = useState(false);
  const save = async () => {
    if (saving) return;
    setSaving(true);
    const rule = draftOf(words, null, Date.now());
    const made = await attempt(call('rule.create', { rule }), 'Added the rule');
    setSaving(false);
    if (made === null) return;
    onMade();
    onClose();
  };
  return (
    <section
      ref={ref}
      className="rule-form"
      aria-label="New rule"
      onKeyDown={(event) => onFormKey(event, () => void save(), onClose)}
    >
      <Field label="Effect">
        {() => (
          <Segments
            label="Effect"
            value={words.effect}
            options={EFFECTS}
            onChange={(effect) => setWords({ ...words, effect })}
          />
        )}
      </Field>
      <RuleFields
        words={words}
        onChange={setWords}
        agents={agents}
        projects={projects}
        spans={SPANS}
        shows={{ path: true, command: true, everywhere: true }}
      />
      <Field label="Why" hint="If the rule denies a request, the agent gets this reason.">
        {(ids) => (
          <TextInput
            {...ids}
            value={words.reason}
            onChange={(event) => setWords({ ...words, reason: event.target.value })}
          />
        )}
      </Field>
      <DryRunOf rule={draftOf(words, null, 0)} />
      <footer>
        <Button tone="ghost" caps={['Esc']} onClick={onClose}>
          Close
        </Button>
        <Button tone="primary" caps={sendCaps} disabled={saving} onClick={() => void save()}>
          Add the rule
        </Button>
      </footer>
    </section>
  );
}
