import { About } from '@areas/settings/view/parts/about';
import { useHandlers, useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt, offer } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { ActButton } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Section } from '@renderer/ui/layout/facts';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { PermissionRule } from '../../contract/rule';
import { NewRule } from './new-rule';
import { RuleRow } from './rule-row';
import { subjectOf } from './rule-words';

const changed = () => refresh('rule.list');

/** The last action, for undo. */
interface Done {
  readonly word: string;
  readonly back: () => Promise<void>;
}

/**
 * Permission rules: which ones answer for the operator, how often, until when; they are ended, removed and
 * restored here.
 */
export function Rules() {
  const [making, setMaking] = useState(false);
  const [done, setDone] = useState<Done | null>(null);
  const { value, error } = useQuery('rule.list', {});
  const undo = async (last: Done) => {
    setDone(null);
    await last.back();
    await changed();
  };
  const did = async (last: Done) => {
    setDone(last);
    offer(last.word, { verb: 'Undo', run: () => void undo(last) });
    await changed();
  };
  const remove = async (rule: PermissionRule) => {
    if ((await attempt(call('rule.remove', { id: rule.id }))) === null) return;
    const back = async () => void (await attempt(call('rule.update', { id: rule.id, removed: false })));
    await did({ word: `Removed the rule: ${subjectOf(rule)}`, back });
  };
  const expire = async (rule: PermissionRule) => {
    const { id, expires_at } = rule;
    if ((await attempt(call('rule.update', { id, expires_at: Date.now() }))) === null) return;
    const back = async () => void (await attempt(call('rule.update', { id, expires_at })));
    await did({ word: `Ended the rule: ${subjectOf(rule)}`, back });
  };
  useHandlers({
    'rules.new': making ? null : () => setMaking(true),
    'rules.undo': done === null ? null : () => void undo(done),
  });
  const rules = value ?? [];
  return (
    <>
      <About>
        A rule answers a permission request immediately, in your place; the run’s history shows both. If
        several rules match, a denying rule wins. What a profile allows is never asked.
      </About>
      {error && <ErrorNote error={error} />}
      {making && <NewRule onClose={() => setMaking(false)} onMade={() => void changed()} />}
      <Section
        title="Rules"
        count={rules.length}
        acts={
          <ActButton action="rules.new" icon={Plus} disabled={making}>
            New rule
          </ActButton>
        }
      >
        {rules.length === 0 ? (
          <p className="quiet">No rules. "Allow by rule" at a permission gate makes one, too.</p>
        ) : (
          <ul className="rule-rows">
            {rules.map((rule) => (
              <RuleRow key={rule.id} rule={rule} onExpire={expire} onRemove={remove} />
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
