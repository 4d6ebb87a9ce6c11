import { MIB } from '@contract/size-units';
import type { HostFacts, HostState } from '../../contract/host';
import type { HostRow } from '../../contract/procedures';

const size = (bytes: number): string => `${Math.round(bytes / MIB / 1024)} GB`;

const stateWords = (state: HostState): string => {
  switch (state.kind) {
    case 'idle':
      return 'not connected';
    case 'connecting':
      return 'connecting';
    case 'connected':
      return 'connected';
    case 'disconnected':
      return 'connection lost; work continues there';
    case 'failed':
      return state.error.message;
  }
};

export const hostCells = ({ name, ssh, state, facts }: HostRow): string[] => [
  name,
  ssh,
  stateWords(state),
  facts === null ? '' : `${Math.round(facts.latencyMs)} ms`,
];

export const factLines = ({ latencyMs, system, node, git, version, agents, stats }: HostFacts): string[] => [
  `  System: ${system}, Node ${node}, git ${git}`,
  `  Latency: ${Math.round(latencyMs)} ms`,
  `  Load: ${stats.load.toFixed(2)} on ${stats.processors} processors`,
  `  Memory: ${size(stats.freeMemoryBytes)} of ${size(stats.memoryBytes)} free`,
  `  Disk: ${size(stats.freeDiskBytes)} free`,
  `  Agents: ${agents.length === 0 ? 'none' : agents.join(', ')}`,
  `  Sessions: ${stats.sessions}`,
  `  Program: ${version}`,
];
