import { bytes, plural } from '@renderer/client/format';
import { Ago } from '@renderer/parts/text/ago';
import { Button } from '@renderer/ui/controls/button';
import type { HostFacts, HostState } from '../../contract/host';
import type { HostRow } from '../../contract/procedures';
import styles from './hosts.module.css';

interface HostLineProps {
  readonly row: HostRow;
  readonly testing: boolean;
  onTest(): void;
  onRemove(): void;
}

/** One host with its connection, and what the last test found there. */
export const HostLine = ({ row: { name, ssh, state, facts }, testing, onTest, onRemove }: HostLineProps) => (
  <li aria-label={name}>
    <div className={styles.line}>
      <strong>{name}</strong>
      {ssh !== name && <span className="quiet">{ssh}</span>}
      <span>{testing ? 'Testing' : <State state={state} name={name} />}</span>
      <Button disabled={testing} onClick={onTest}>
        Test
      </Button>
      <Button disabled={testing} onClick={onRemove}>
        Remove
      </Button>
    </div>
    {facts && <p className="quiet">{factWords(facts)}</p>}
  </li>
);

function State({ state, name }: { readonly state: HostState; readonly name: string }) {
  switch (state.kind) {
    case 'idle':
      return 'Not connected';
    case 'connecting':
      return 'Connecting';
    case 'connected':
      return 'Connected';
    case 'disconnected':
      return (
        <>
          Connection to {name} lost <Ago at={state.since} />; work continues there
        </>
      );
    case 'failed':
      return (
        <>
          {state.error.message} {state.error.mend}
        </>
      );
  }
}

const factWords = ({ latencyMs, system, node, git, version, agents, stats }: HostFacts): string =>
  [
    system,
    `latency ${Math.round(latencyMs)} ms`,
    `load ${stats.load.toFixed(2)} on ${plural(stats.processors, 'processor')}`,
    `${bytes(stats.freeDiskBytes)} of disk free`,
    agents.length === 0 ? 'no agents' : agents.join(', '),
    plural(stats.sessions, 'session'),
    `Node ${node}`,
    `git ${git}`,
    `program ${version}`,
  ].join(' · ');
