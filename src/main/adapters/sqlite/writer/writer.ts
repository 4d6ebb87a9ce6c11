import type { AppError } from '@contract/errors';
import { err } from '@contract/result';
import type { RuleWriter } from '../../../core/ports/rules';
import type { DeliveryWriter } from '../../../core/ports/store/deliveries';
import type { StoreWriter } from '../../../core/ports/store/store';
import { StoreFault } from '../faults';
import type { CatalogWriter } from './catalog';
import type { HistoryWriter } from './history';

interface WriterParts {
  readonly catalog: CatalogWriter;
  readonly history: HistoryWriter;
  readonly rules: RuleWriter;
  readonly deliveries: DeliveryWriter;
  readonly committed: () => void;
  /** The error to show, or null for a bug. */
  readonly failed: (fault: unknown) => AppError | null;
}

/** Writes outside the log. They affect the store's health like the log's. */
export function createWriter({
  catalog,
  history,
  rules,
  deliveries,
  committed,
  failed,
}: WriterParts): StoreWriter {
  function guarded<T>(work: () => T): T {
    try {
      const value = work();
      committed();
      return value;
    } catch (fault) {
      const error = failed(fault);
      if (error === null) throw fault;
      throw new StoreFault(error, fault);
    }
  }

  return {
    addProject: (path, name, at) => guarded(() => catalog.addProject(path, name, at)),
    removeProject: (id) => guarded(() => catalog.removeProject(id)),
    saveProfile: (profile, at) => guarded(() => catalog.saveProfile(profile, at)),
    removeProfile: (id) => guarded(() => catalog.removeProfile(id)),
    addHost: (host) => guarded(() => catalog.addHost(host)),
    removeHost: (name) => guarded(() => catalog.removeHost(name)),
    setSetting: (key, value) => guarded(() => catalog.setSetting(key, value)),
    snooze: (runId, gateId, until) => guarded(() => catalog.snooze(runId, gateId, until)),
    setRunBytes: (runId, bytes) => guarded(() => catalog.setRunBytes(runId, bytes)),
    addRule: (rule) => guarded(() => rules.addRule(rule)),
    changeRule: (id, change) => guarded(() => rules.changeRule(id, change)),
    takeInNews: (targets, now) => guarded(() => deliveries.takeInNews(targets, now)),
    recoverDeliveries: () => guarded(() => deliveries.recoverDeliveries()),
    beginDelivery: (id, at) => guarded(() => deliveries.beginDelivery(id, at)),
    endDelivery: (id, tried) => guarded(() => deliveries.endDelivery(id, tried)),
    retryDeliveries: (which, at) => guarded(() => deliveries.retryDeliveries(which, at)),
    dropDeliveries: (known, at) => guarded(() => deliveries.dropDeliveries(known, at)),
    binUnread: (runId, binned, at) => guarded(() => history.binUnread(runId, binned, at)),
    endUnread: (runId, at) => guarded(() => history.endUnread(runId, at)),
    purgeRun: (runId) => guarded(() => history.purgeRun(runId)),
    importRun(events, projectId) {
      try {
        return guarded(() => history.importRun(events, projectId));
      } catch (fault) {
        if (fault instanceof StoreFault) return err(fault.appError);
        throw fault;
      }
    },
  };
}
