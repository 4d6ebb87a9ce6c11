import { About } from '@areas/settings/view/parts/about';
import { Saved } from '@areas/settings/view/parts/saved';
import { useHandlers, useQuery, useReadable } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { saveSettings, settings } from '@renderer/client/settings';
import { attempt, offer, say } from '@renderer/client/toasts';
import { ActButton } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Field } from '@renderer/ui/controls/field';
import { Section } from '@renderer/ui/layout/facts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { DeliveryTarget } from '../../contract/target';
import styles from './deliveries.module.css';
import { draftOf, newDraft, type TargetDraft } from './target-draft';
import { TargetForm } from './target-form';
import { TargetRow } from './target-row';

/** An open form stays until it is saved or closed, even if its target changes or is removed. */
interface Editing {
  readonly draft: TargetDraft;
  readonly isNew: boolean;
}

const targetsNow = (): readonly DeliveryTarget[] => settings.get().deliveries.targets;
const saveTargets = (targets: readonly DeliveryTarget[]): Promise<boolean> =>
  saveSettings({ deliveries: { ...settings.get().deliveries, targets: [...targets] } });
/** At its known position, otherwise at the end. */
const put = (target: DeliveryTarget): Promise<boolean> =>
  targetsNow().some(({ id }) => id === target.id)
    ? saveTargets(targetsNow().map((one) => (one.id === target.id ? target : one)))
    : saveTargets([...targetsNow(), target]);

/** The delivery targets besides the feed, with their states and actions. */
export function Deliveries() {
  const { deliveries } = useReadable(settings);
  const { value: states, error } = useQuery('delivery.targets', {});
  const [editing, setEditing] = useState<Editing | null>(null);
  const [testing, setTesting] = useState<string | null>(null);
  useHandlers({
    'deliveries.new': editing ? null : () => setEditing({ draft: newDraft(freshId()), isNew: true }),
  });
  const save = async (target: DeliveryTarget) => {
    if (await put(target)) setEditing(null);
  };
  const test = async (target: DeliveryTarget) => {
    setTesting(target.id);
    const sent = await attempt(call('delivery.test', { target }));
    if (sent) say(`${target.name} accepted the test: ${sent.receipt}`);
    setTesting(null);
  };
  const remove = async (target: DeliveryTarget) => {
    if (!(await saveTargets(targetsNow().filter(({ id }) => id !== target.id)))) return;
    offer(`Removed ${target.name}`, { verb: 'Undo', run: () => void put(target) });
  };
  const form = editing && (
    <TargetForm
      {...editing}
      key={editing.draft.id}
      onSave={(target) => void save(target)}
      onClose={() => setEditing(null)}
    />
  );
  return (
    <>
      <About>
        Updates, questions of loops and teams, and their results can also be sent elsewhere. Each is sent at
        least once, in the order of its run, and retried until it is accepted. Runs never wait for deliveries.
      </About>
      {error && <ErrorNote error={error} />}
      {editing?.isNew && form}
      <Section
        title="Targets"
        count={deliveries.targets.length}
        acts={
          <ActButton action="deliveries.new" icon={Plus} disabled={editing !== null}>
            New target
          </ActButton>
        }
      >
        {deliveries.targets.length === 0 && <p className="quiet">No targets yet.</p>}
        <ul className={`rule-rows ${styles.targetRows}`}>
          {deliveries.targets.map((target) => (
            <TargetRow
              key={target.id}
              target={target}
              state={states?.find((state) => state.target === target.id)}
              testing={testing === target.id}
              onSwitch={(enabled) => void put({ ...target, enabled })}
              onTest={() => void test(target)}
              onRetry={() => void attempt(call('delivery.retry', { target: target.id }))}
              onEdit={() => setEditing({ draft: draftOf(target), isNew: false })}
              onRemove={() => void remove(target)}
            />
          ))}
        </ul>
        {editing?.isNew === false && form}
      </Section>
      <div className="fields">
        <Field
          label="Give up after (days)"
          hint="Muster stops retrying an update after this time, notifies you, and lets you retry it."
        >
          {(ids) => (
            <Saved
              {...ids}
              className="short"
              inputMode="numeric"
              value={String(deliveries.giveUpDays)}
              onSave={(text) => saveSettings({ deliveries: { ...deliveries, giveUpDays: Number(text) } })}
            />
          )}
        </Field>
      </div>
    </>
  );
}

const freshId = (): string => `t-${crypto.randomUUID().slice(0, 8)}`;
