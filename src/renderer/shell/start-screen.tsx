import { AgentsHere } from '@areas/doctor/view/parts/agents-here';
import { addProject, createSample } from '@areas/projects/view/parts/projects';
import { startSampleWorkflow } from '@areas/projects/view/parts/samples';
import { FolderPlus, Workflow } from 'lucide-react';
import { useState } from 'react';
import type { Sample } from '../parts/pages/view-entry';
import { Button } from '../ui/controls/button';
import { Glyph, type Icon } from '../ui/controls/icon';
import { views } from '../views/registry';
import styles from './start-screen.module.css';

const WORKFLOW: Sample & { readonly icon: Icon } = {
  icon: Workflow,
  act: 'Run the sample workflow',
  shows: 'A writer with two re-prompts, a check of its facts, and a gate that waits for you.',
  start: startSampleWorkflow,
};
const [first, ...others] = views.flatMap(({ icon, sample }) => (sample ? [{ icon, ...sample }] : []));
const SAMPLES = [...(first ? [first] : []), WORKFLOW, ...others];

/** The first start: nothing exists yet, and one click shows a team at work. */
export function StartScreen() {
  const [busy, setBusy] = useState(false);
  const start = (work: () => Promise<void>) => () => {
    setBusy(true);
    void work().finally(() => setBusy(false));
  };
  return (
    <section className={`${styles.start} scroll`} aria-label="Start">
      <div className={styles.startInner}>
        <h1>Welcome to Muster</h1>
        <p className="quiet">
          Muster runs a team of AI agents over a project on this machine, asks you when only you can decide,
          and keeps every run on disk.
        </p>
        <div className={styles.startChoice}>
          <h2>See it at work</h2>
          <p className="quiet">
            A rehearsal on a sample project, a small git repository. Its agents follow scripts: they work
            offline, without a key, and no model answers.
          </p>
          <ul className={styles.startSamples}>
            {SAMPLES.map(({ icon, act, shows, start: work }, index) => (
              <li key={act}>
                <span className={styles.startSampleIcon}>
                  <Glyph of={icon} size={18} />
                </span>
                <p className="grow quiet">{shows}</p>
                <Button
                  tone={index === 0 ? 'primary' : 'plain'}
                  autoFocus={index === 0}
                  disabled={busy}
                  onClick={start(work)}
                >
                  {act}
                </Button>
              </li>
            ))}
          </ul>
          <Button tone="ghost" disabled={busy} onClick={start(createSample)}>
            Create the sample project
          </Button>
        </div>
        <AgentsHere />
        <div className={styles.startChoice}>
          <h2>Or add your own folder</h2>
          <p className="quiet">
            A git repository. Its workflows are YAML files in <code>.muster/workflows/</code>; agents work in
            a worktree of their own, never in your checkout unless the workflow asks for it.
          </p>
          <Button icon={FolderPlus} disabled={busy} onClick={start(addProject)}>
            Add a project folder
          </Button>
        </div>
      </div>
    </section>
  );
}
