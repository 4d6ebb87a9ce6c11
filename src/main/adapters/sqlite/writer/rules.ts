import type { RuleWriter } from '../../../core/ports/rules';
import { type Db, writing } from '../sql';

export function ruleWriter(db: Db): RuleWriter {
  const add = writing(
    db,
    `insert into permission_rules
       (id, agent, tool, path, command, effect, reason, expires_at, scope, run_id, project_id, created_at, created_by)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const change = writing(
    db,
    'update permission_rules set expires_at = ?, reason = ?, removed_at = ? where id = ?',
  );
  return {
    addRule(rule) {
      const { id, agent, tool, path, command, effect, reason, expires_at, scope, run_id, project_id } = rule;
      const made = [rule.created_at, rule.created_by];
      const says = [agent, tool, path, command, effect, reason, expires_at, scope, run_id, project_id];
      add.run(id, ...says, ...made);
    },
    changeRule(id, { expires_at, reason, removed_at }) {
      change.run(expires_at, reason, removed_at, id);
    },
  };
}
