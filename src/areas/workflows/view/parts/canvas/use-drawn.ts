import type { WorkflowDetail } from '@areas/agents/contract/procedures';
import type { Json } from '@contract/ids';
import { shareStructure } from '@contract/structural-sharing';
import type { WorkflowFileView } from '@renderer/client/files/workflow-file';
import { useMemo, useRef } from 'react';
import { isMap } from '../../../contract/change';
import { type Drawable, drawable, takeRead } from './edit/drawable-file';
import { type CanvasGraph, canvasGraph, type GraphSource } from './graph/graph';
import { stepTroubles } from './graph/troubles';

const NO_STEPS: Drawable = { steps: [], cables: [] };

type Shown = Pick<WorkflowFileView, 'checked' | 'drawn'>;

/** The graph of the newest text with pending edits: of all of it, or of the part that can be parsed. */
export function useDrawn(value: WorkflowDetail, { checked, drawn }: Shown, open: GraphSource['open']) {
  const shown = checked ?? value;
  const { ports, problems } = shown;
  const document: Json = checked === null ? null : drawn;
  // Pending edits are not in the definition yet.
  const definition = checked !== null && drawn !== checked.value ? null : shown.definition;
  const level = useMemo(() => {
    if (definition !== null && document !== null) takeRead(document, definition);
    return definition ?? drawable(document) ?? NO_STEPS;
  }, [definition, document]);
  const graph = useKeptGraph({ level, ports, open });
  // Problems refer to positions in the text; of a file with errors only a part is drawn.
  const named: Json = checked?.value ?? null;
  const places = named ?? { steps: level.steps as unknown as Json };
  const troubles = useMemo(() => stepTroubles(places, problems), [places, problems]);
  // A file with errors has no name in the list of workflows, but may have one in its text.
  const name = isMap(document) && typeof document.name === 'string' ? document.name : value.name;
  return { graph, troubles, document, name, level };
}

interface DrawnLevel extends Pick<GraphSource, 'ports' | 'open'> {
  readonly level: Drawable;
}

/** Steps and cables that did not change are the same objects as before, and so are not drawn again. */
function useKeptGraph({ level, ports, open }: DrawnLevel): CanvasGraph {
  const last = useRef<CanvasGraph | null>(null);
  const graph = useMemo(
    () =>
      shareStructure(last.current, canvasGraph({ steps: level.steps, cables: level.cables, ports, open })),
    [level, ports, open],
  );
  last.current = graph;
  return graph;
}
