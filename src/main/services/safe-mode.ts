import { appError } from '@contract/errors';
import type { CoreProcedureName } from '@contract/ipc';
import { featureProcedures } from '@features/procedures';
import type { Router } from './router';

/** What reads history, exports it or backs it up, and neither starts anything nor reads a project's files. */
const ALLOWED: readonly CoreProcedureName[] = [
  'project.list',
  'step.types',
  'run.list',
  'run.live',
  'run.get',
  'run.find',
  'run.events',
  'run.output',
  'run.text',
  'run.export',
  'run.transcript',
  'run.sessionLog',
  'run.commandOutput',
  'event.page',
  'gate.list',
  'gate.before',
  'attention.list',
  'rule.list',
  'spend.list',
  'spend.export',
  'home.get',
  'host.list',
  'session.list',
  'terminal.get',
  'feed.list',
  'feed.sources',
  'feed.marks',
  'search.query',
  'search.terminals',
  'delivery.targets',
  'delivery.list',
  'checkout.interrupted',
  'backup.list',
  'backup.make',
  'diagnostics.list',
  'diagnostics.save',
  'system.status',
  'system.dismissNotice',
  'settings.get',
];
/** What reads the history of a feature, by the last part of its name. */
const READS = /\.(?:list|messages|log|text|excerpt)$/;
const allowed: ReadonlySet<string> = new Set([
  ...ALLOWED,
  ...Object.keys(featureProcedures).filter((name) => READS.test(name)),
]);

/** Refuses whatever is not known to be harmless: a new procedure has to be allowed here. */
export const inSafeMode =
  (router: Router): Router =>
  (name, input) =>
    allowed.has(name)
      ? router(name, input)
      : {
          ok: false,
          error: appError('unavailable', 'In safe mode nothing is started or changed.', {
            mend: 'Leave safe mode first.',
          }),
        };
