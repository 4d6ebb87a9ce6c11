import type { WorkflowDetail } from '@contract/catalog/procedures';
import type { Json } from '@contract/ids';
import { isMap } from '@contract/workflow/change';
import { useMemo } from 'react';
import { type Drawable, drawable } from './edit/drawable';
import { canvasGraph, type GraphSource } from './graph/graph';
import { stepTroubles } from './graph/troubles';

const NO_STEPS: Drawable = { steps: [], cables: [] };

type Checked = Pick<WorkflowDetail, 'definition' | 'problems' | 'ports'> & { readonly value: Json };

/** The graph of the newest text: of all of it, or of what can be read. */
export function useDrawn(value: WorkflowDetail, checked: Checked | null, open: GraphSource['open']) {
  const shown = checked ?? value;
  const document: Json = checked?.value ?? null;
  const { definition, ports, problems } = shown;
  const level = useMemo(() => definition ?? drawable(document) ?? NO_STEPS, [definition, document]);
  const graph = useMemo(
    () => canvasGraph({ steps: level.steps, cables: level.cables, ports, open }),
    [level, ports, open],
  );
  // Problems name places of the text, of which a file with errors draws only a part.
  const named: Json = document ?? { steps: level.steps as unknown as Json };
  const troubles = useMemo(() => stepTroubles(named, problems), [named, problems]);
  // A file with errors has no name in the list of workflows, but may have one in its text.
  const name = isMap(document) && typeof document.name === 'string' ? document.name : value.name;
  return { graph, troubles, document, name, level };
}
