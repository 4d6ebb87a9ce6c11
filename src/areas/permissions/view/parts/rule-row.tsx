import { plural } from '@renderer/client/format';
import { useClock, useQuery } from '@renderer/client/hooks';
import { hashOf } from '@renderer/client/route';
import { Ago, Until } from '@renderer/parts/text/ago';
import { IconButton } from '@renderer/ui/controls/button';
import { Glyph } from '@renderer/ui/controls/icon';
import { ShieldCheck, ShieldX, TimerOff, Trash2 } from 'lucide-react';
import type { PermissionRule } from '../../contract/rule';
import { subjectOf } from './rule-words';

interface RuleRowProps {
  readonly rule: PermissionRule;
  readonly onExpire: (rule: PermissionRule) => void;
  readonly onRemove: (rule: PermissionRule) => void;
}

export function RuleRow({ rule, onExpire, onRemove }: RuleRowProps) {
  const over = useClock((now) => rule.expires_at !== null && rule.expires_at <= now);
  const subject = subjectOf(rule);
  const word = rule.effect === 'allow' ? 'Allow' : 'Deny';
  return (
    <li aria-label={`${word} ${subject}`}>
      <div className="rule-says">
        <div className="rule-line">
          <span className={over ? 'faint' : rule.effect}>
            <Glyph of={rule.effect === 'allow' ? ShieldCheck : ShieldX} size={15} />
          </span>
          <strong className={over ? 'faint' : ''}>{word}</strong>
          <span className="mono cut reads" title={subject}>
            {subject}
          </span>
        </div>
        <div className="rule-line faint note">
          <span>{rule.agent === '*' ? 'any agent' : rule.agent}</span>
          <Scope rule={rule} />
          <End rule={rule} over={over} />
          <Uses rule={rule} />
          {rule.reason && <span className="cut">{rule.reason}</span>}
        </div>
      </div>
      <IconButton
        icon={TimerOff}
        label={`End the rule now: ${subject}`}
        disabled={over}
        onClick={() => onExpire(rule)}
      />
      <IconButton icon={Trash2} label={`Remove the rule: ${subject}`} onClick={() => onRemove(rule)} />
    </li>
  );
}

function Scope({ rule }: { rule: PermissionRule }) {
  const projects = useQuery('project.list', rule.scope === 'project' ? {} : null).value ?? [];
  if (rule.scope === 'everywhere') return <span>everywhere</span>;
  if (rule.run_id !== null) return <a href={hashOf('run', rule.run_id)}>in run {rule.run_id}</a>;
  const project = projects.find(({ id }) => id === rule.project_id);
  return <span>in {project?.name ?? `project ${rule.project_id}`}</span>;
}

function End({ rule, over }: { rule: PermissionRule; over: boolean }) {
  if (rule.expires_at === null) return <span>does not expire</span>;
  if (!over) {
    return (
      <span>
        expires <Until at={rule.expires_at} />
      </span>
    );
  }
  return (
    <span>
      expired <Ago at={rule.expires_at} />
    </span>
  );
}

function Uses({ rule }: { rule: PermissionRule }) {
  if (rule.last_used_at === null) return <span>never used</span>;
  return (
    <span>
      used {plural(rule.uses, 'time')}, last <Ago at={rule.last_used_at} />
    </span>
  );
}
