import { projectRowSchema } from '@areas/agents/contract/procedures';
import type { StoreWriter } from '../../../core/ports/store/store';
import { type Db, reading, writing } from '../sql';

export type CatalogWriter = Pick<
  StoreWriter,
  | 'addProject'
  | 'removeProject'
  | 'saveProfile'
  | 'removeProfile'
  | 'addHost'
  | 'removeHost'
  | 'setSetting'
  | 'snooze'
  | 'setRunBytes'
>;

export function catalogWriter(db: Db, now: () => number): CatalogWriter {
  // A removed project keeps its number, because its runs refer to it.
  const addProject = reading(
    db,
    projectRowSchema,
    `insert into projects (path, name, added_at) values (?, ?, ?)
     on conflict (path) do update set name = excluded.name, removed_at = null,
       added_at = iif(removed_at is null, added_at, excluded.added_at)
     returning id, path, name, added_at as addedAt, null as trouble`,
  );
  const removeProject = writing(db, 'update projects set removed_at = ? where id = ?');
  const saveProfile = writing(
    db,
    'insert or replace into agent_profiles (id, body, saved_at) values (?, ?, ?)',
  );
  const removeProfile = writing(db, 'delete from agent_profiles where id = ?');
  const addHost = writing(db, 'insert into hosts (name, ssh, added_at) values (?, ?, ?)');
  const removeHost = writing(db, 'delete from hosts where name = ?');
  const setSetting = writing(db, 'insert or replace into settings (key, value) values (?, ?)');
  const snooze = writing(
    db,
    'update gates set snoozed_until = ? where run_id = ? and gate_id = ? and closed_at is null',
  );
  const setRunBytes = writing(db, 'update runs set bytes = ? where id = ?');

  return {
    addProject(path, name, at) {
      const [row] = addProject.all(path, name, at);
      if (row === undefined) throw new Error('a project was written and not given back');
      return row;
    },
    removeProject(id) {
      removeProject.run(now(), id);
    },
    saveProfile(profile, at) {
      saveProfile.run(profile.id, JSON.stringify(profile), at);
    },
    removeProfile(id) {
      removeProfile.run(id);
    },
    addHost({ name, ssh, addedAt }) {
      addHost.run(name, ssh, addedAt);
    },
    removeHost(name) {
      removeHost.run(name);
    },
    setSetting(key, value) {
      setSetting.run(key, JSON.stringify(value));
    },
    snooze(runId, gateId, until) {
      snooze.run(until, runId, gateId);
    },
    setRunBytes(runId, bytes) {
      setRunBytes.run(bytes, runId);
    },
  };
}
