import { useQuery } from '@renderer/client/hooks';
import { hashOf } from '@renderer/client/route';
import { subjectOf } from './rule-words';

/** The name of a rule in the history, even if the rule was removed since. */
export function RuleName({ id }: { id: string }) {
  const [rule] = useQuery('rule.list', { ids: [id] }).value ?? [];
  if (rule === undefined) return <span title={id}>a rule that no longer exists</span>;
  return (
    <a href={hashOf('settings', 'rules')} title={id}>
      the rule <span className="mono">{subjectOf(rule)}</span>
      {rule.removed_at !== null && ', removed since'}
    </a>
  );
}
