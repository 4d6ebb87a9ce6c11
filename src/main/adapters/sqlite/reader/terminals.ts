import { lazyObject } from '@contract/lazy-object';
import { z } from 'zod';
import type { TerminalReader } from '../../../core/ports/store/terminals';
import { type Db, reading } from '../sql';

const recordSchema = lazyObject(() => ({
  runId: z.number(),
  name: z.string(),
  outputPath: z.string(),
  openedAt: z.number(),
  bytes: z.number(),
  evicted: z.number(),
}));
const recentSchema = z.lazy(() => recordSchema.unwrap().extend({ runName: z.string() }));
const columns = `t.run_id as runId, t.name, t.output_path as outputPath, t.opened_at as openedAt,
  t.bytes, t.evicted`;

export function terminalReader(db: Db): TerminalReader {
  const total = reading(
    db,
    z.object({ bytes: z.number().nullable() }),
    'select sum(bytes - evicted) as bytes from terminals',
  );
  const droppable = reading(
    db,
    recordSchema,
    `select ${columns} from terminals t join runs r on r.id = t.run_id
     where (r.binned_at is not null or r.finished_at is not null) and t.closed_at is not null
       and t.bytes > t.evicted
     order by r.binned_at is null, coalesce(r.finished_at, r.binned_at), t.id limit ?`,
  );
  const recent = reading(
    db,
    recentSchema,
    `select ${columns}, r.name as runName from terminals t join runs r on r.id = t.run_id
     where r.binned_at is null and r.project_id = coalesce(?, r.project_id) and r.id = coalesce(?, r.id)
     order by t.id desc limit ?`,
  );
  return {
    recentTerminals: ({ limit, projectId = null, runId = null }) => recent.all(projectId, runId, limit),
    terminalBytes: () => total.get()?.bytes ?? 0,
    droppableTerminals: (limit) => droppable.all(limit),
  };
}
