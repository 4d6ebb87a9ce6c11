import { catalogProcedures } from '@areas/agents/contract/procedures';
import { updateProcedures } from '@areas/feed/contract/procedures';
import { gateProcedures } from '@areas/gates/contract/procedures';
import { projectRows } from '@areas/projects/node/project-rows';
import { SettingsService } from '@areas/settings/node/settings-service';
import { ok } from '@contract/result';
import { systemProcedures } from '@contract/system/procedures';
import type { FirstRead } from '@contract/system/startup-queries';
import type { RpcReply } from '@contract/wire';
import type { z } from 'zod';
import type { Store } from '../core/ports/store/store';

type Answer = (store: Store, input: unknown) => Promise<RpcReply | null>;

function from<S extends z.ZodType>(
  schema: S,
  read: (store: Store, input: z.output<S>) => Promise<unknown> | unknown,
): Answer {
  return async (store, raw) => {
    const input = schema.safeParse(raw ?? {}, { jitless: true });
    return input.success ? ok(await read(store, input.data)) : null;
  };
}

/**
 * A window's first queries. They read only the store, and are valid even while leftovers of an earlier core
 * are being ended and runs are not resumed yet: everything else waits for that.
 */
const ANSWERS: Readonly<Record<FirstRead, Answer>> = {
  'feed.list': from(updateProcedures['feed.list'].input, (store, input) => store.feed(input)),
  'gate.list': from(gateProcedures['gate.list'].input, (store, input) => store.gates(input)),
  'project.list': from(catalogProcedures['project.list'].input, (store) => projectRows(store)),
  'settings.get': from(systemProcedures['settings.get'].input, (store) => new SettingsService(store).get()),
};
const FIRST = new Map<string, Answer>(Object.entries(ANSWERS));

export const isFirst = (name: string): boolean => FIRST.has(name);

/**
 * An answer before the core is complete; null if only the complete core can give it, including errors of the
 * call.
 */
export async function answerFirst(
  store: Store,
  { name, input }: { readonly name: string; readonly input?: unknown },
): Promise<RpcReply | null> {
  const answer = FIRST.get(name);
  return answer === undefined ? null : answer(store, input).catch(() => null);
}
