import type { WorkflowRow } from '@areas/agents/contract/procedures';
import { stepPanels } from '@features/view';
import { useHandlers, useRoute } from '@renderer/client/hooks';
import { parseRoute, setQuery } from '@renderer/client/route';
import { Tabs } from '@renderer/ui/controls/tabs';
import { lazy, Suspense } from 'react';
import type { StepPath } from '../../contract/edit';
import { useFirstField } from '../parts/canvas/open-panel';
import { StepPanel } from '../parts/step-panel/step-panel';
import { RunPanel } from '../run/run-panel';
import styles from './side.module.css';

/** With the schema of workflows, which is loaded only once it is shown. */
const WorkflowPanel = lazy(async () => ({
  default: (await import('../parts/step-panel/workflow-panel')).WorkflowPanel,
}));

/** The form of the selected step; without one, the run form, or the workflow's own settings. */
export function Side({ row }: { readonly row: WorkflowRow }) {
  const { query } = useRoute();
  const { step = '' } = query;
  const settings = query.side === 'settings';
  const isForm = step === '' && !settings;
  // The key of the button is printed on it, and works also while something else is in its place.
  useHandlers({
    'workflow.run': isForm || !row.runnable ? null : () => setQuery({ step: '', side: '' }),
  });
  if (step !== '')
    return (
      <div className="scroll">
        <StepPanel
          projectId={row.projectId}
          file={row.file}
          step={step.split('/')}
          onRenamed={followRename}
          panels={stepPanels}
          onOpen={(path) => setQuery({ step: path.join('/') })}
          onClose={() => setQuery({ step: '' })}
        />
      </div>
    );
  return (
    <div className={styles.side}>
      <div>
        <Tabs
          label="Run or change the workflow"
          value={settings ? 'settings' : 'run'}
          tabs={[
            { id: 'run', label: 'Run' },
            { id: 'settings', label: 'Settings' },
          ]}
          onChange={(side) => setQuery({ side: side === 'run' ? '' : side })}
        />
      </div>
      {settings ? (
        <Suspense fallback={<div aria-busy="true" />}>
          <WorkflowPanel projectId={row.projectId} file={row.file} />
        </Suspense>
      ) : (
        <RunPanel row={row} />
      )}
    </div>
  );
}

/** The renamed step stays selected, unless another one was selected meanwhile. */
function followRename(from: StepPath, to: StepPath): void {
  if (parseRoute(window.location.hash).query.step === from.join('/')) setQuery({ step: to.join('/') });
}

/** The key that shows the settings of the workflow, even if the side panel is closed. */
export function useSettingsKey(): void {
  const toField = useFirstField();
  useHandlers({
    'workflow.settings': () => {
      setQuery({ step: '', side: 'settings' });
      toField('[data-part="workflow-panel"]');
    },
  });
}
