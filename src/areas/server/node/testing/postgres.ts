import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbedded } from '../embedded';

/** A PostgreSQL in a temporary folder. As root it runs as another user, who must reach that folder. */
export async function testPostgres(): Promise<
  EmbeddedPostgres & { readonly folder: string; remove(): Promise<void> }
> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pg-'));
  chmodSync(folder, 0o711);
  const started = await startEmbedded(join(folder, 'pg'));
  if (!started.ok) throw new Error(started.error.message);
  const postgres = started.value;
  return {
    ...postgres,
    folder: join(folder, 'pg'),
    remove: async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
