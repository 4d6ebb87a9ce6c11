import { HostWatch } from '@areas/hosts/node/host-watch';
import { IdleParker } from '@areas/runs/node/idle-parker';
import { TerminalRecords } from '@areas/sessions/node/terminal-records';
import { messageOf } from '@contract/error-message';
import { MIB } from '@contract/size-units';
import { IDLE_SESSION_MS } from '../../limits/core';
import type { ServiceParts } from '../wiring/service-parts';

/** Notifies the operator; a notice with the same id replaces the previous one. */
export const warner =
  ({ status, publisher }: Pick<ServiceParts, 'status' | 'publisher'>) =>
  (text: string, id: string): void => {
    status.notice({ id, level: 'warning', text });
    publisher.statusChanged();
  };

/** Observers of a working core. Those returned are stopped with the core. */
export function startFollowers(parts: ServiceParts): readonly { stop(): void }[] {
  const parker = startParker(parts);
  const records = followTerminals(parts);
  followTranscripts(parts);
  return [parker, records, followHosts(parts)];
}

function startParker({ engine, adapters: { clock, logger }, tidy }: ServiceParts): IdleParker {
  const parker = new IdleParker({ engine, clock, logger, idleMs: IDLE_SESSION_MS, tidy });
  parker.start();
  return parker;
}

/** Records terminals in the store, and applies the operator's limits on their output. */
function followTerminals({ adapters, settings, status, publisher }: ServiceParts): TerminalRecords {
  const { pty, store, clock, logger, artifactsRoot } = adapters;
  const records = new TerminalRecords({
    store,
    logger,
    artifactsRoot,
    now: clock.now,
    openOutputs: () => pty.openOutputs(),
    limit: () => settings.get().terminals.totalMb * MIB,
    notice: warner({ status, publisher }),
  });
  pty.watch(records);
  const limit = (): void => pty.setLimit(settings.get().terminals.terminalMb * MIB);
  limit();
  settings.onChange(() => {
    limit();
    records.look();
  });
  records.start();
  return records;
}

/** While a host cannot be reached, what runs there continues: neither a failure nor an interruption. */
function followHosts({ hosts, status, publisher, engine, adapters }: ServiceParts): HostWatch {
  const warn = warner({ status, publisher });
  const { clock, logger } = adapters;
  const watch = new HostWatch({ engine, clock, logger, rows: () => hosts.service.rows() });
  hosts.service.onChange((rows) => {
    watch.look();
    for (const { name, state } of rows) {
      const id = `host ${name}`;
      if (state.kind === 'disconnected') {
        const at = new Date(state.since).toLocaleTimeString('en-GB', { timeStyle: 'short' });
        warn(
          `Connection to ${name} lost at ${at}; work continues there. Muster connects again by itself.`,
          id,
        );
      } else if (status.withdraw(id)) publisher.statusChanged();
    }
  });
  return watch;
}

/** If a session's log cannot be written, the turn continues and the operator is notified once. */
function followTranscripts({ adapters, status, publisher }: ServiceParts): void {
  const { transcripts, logger } = adapters;
  let notified = false;
  transcripts.onTrouble((path, cause) => {
    const why = messageOf(cause);
    logger.error('what an agent says cannot be saved', { path, cause: why });
    if (notified) return;
    notified = true;
    const text = `Agent messages are shown, but not all of them can be saved: ${why}`;
    status.notice({ id: 'transcripts', level: 'warning', text });
    publisher.statusChanged();
  });
}
