import { projectRowSchema } from '@areas/agents/contract/procedures';
import { agentProfileSchema } from '@areas/agents/contract/profile';
import { hostSchema } from '@areas/hosts/contract/host';
import { z } from 'zod';
import type { StoreReader } from '../../../core/ports/store/store';
import { type Db, reading } from '../sql';

const PROJECT = 'select id, path, name, added_at as addedAt, null as trouble from projects';
const bodySchema = z.object({ body: z.string() });

type CatalogReader = Pick<StoreReader, 'projects' | 'project' | 'profiles' | 'hosts' | 'setting'>;

export function catalogReader(db: Db): CatalogReader {
  const projects = reading(db, projectRowSchema, `${PROJECT} where removed_at is null order by name, id`);
  const project = reading(db, projectRowSchema, `${PROJECT} where removed_at is null and id = ?`);
  const profiles = reading(db, bodySchema, 'select body from agent_profiles order by id');
  const hosts = reading(db, hostSchema, 'select name, ssh, added_at as addedAt from hosts order by name');
  const setting = reading(db, bodySchema, 'select value as body from settings where key = ?');
  return {
    projects: () => projects.all(),
    project: (id) => project.get(id),
    profiles: () => profiles.all().map(({ body }) => agentProfileSchema.parse(JSON.parse(body))),
    hosts: () => hosts.all(),
    setting(key) {
      const found = setting.get(key);
      return found === null ? undefined : JSON.parse(found.body);
    },
  };
}
