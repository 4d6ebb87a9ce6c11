import type { StepPorts } from '@areas/agents/contract/procedures';
import type { RunState } from '@contract/run/state';
import { shareStructure } from '@contract/structural-sharing';
import { useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { useEffect, useMemo, useState } from 'react';
import { yamlText } from '../edit/yaml-text';

type Frozen = Pick<RunState, 'definition' | 'projectId' | 'sourceFile'>;

type Ports = Readonly<Record<string, StepPorts>>;

const NO_PORTS: Ports = {};

/** The definition of a run as YAML. */
const frozenText = ({ definition }: Pick<Frozen, 'definition'>): string =>
  yamlText(JSON.parse(JSON.stringify(definition)));

/** The ports of a run's steps by its own definition, not by the current file. */
export function useFrozenPorts({ definition, projectId, sourceFile }: Frozen): Ports {
  const [ports, setPorts] = useState(NO_PORTS);
  useEffect(() => {
    let wanted = true;
    const file = sourceFile ?? 'run.yaml';
    void call('workflow.check', { projectId, file, text: frozenText({ definition }) }).then((checked) => {
      if (wanted && checked.ok) setPorts(checked.value.ports);
    });
    return () => {
      wanted = false;
    };
  }, [definition, projectId, sourceFile]);
  return ports;
}

interface FileDifference {
  readonly file: string;
  readonly frozen: string;
  readonly today: string;
}

/** How the current workflow file differs from the definition of the run; null if it is equal or deleted. */
export function useDifference({ definition, projectId, sourceFile }: Frozen): FileDifference | null {
  const found = useQuery('workflow.get', sourceFile === null ? null : { projectId, file: sourceFile });
  const now = found.value?.definition ?? null;
  return useMemo(() => {
    // Equal definitions have equal texts, which are slow to write.
    if (sourceFile === null || now === null || shareStructure(definition, now) === definition) return null;
    const frozen = frozenText({ definition });
    const today = frozenText({ definition: now });
    return frozen === today ? null : { file: sourceFile, frozen, today };
  }, [definition, now, sourceFile]);
}
