import { FolderPlus, Sprout } from 'lucide-react';
import { useState } from 'react';
import { addProject, createSample } from '../parts/projects';
import { Button } from '../ui/button';

/** The first start: nothing is here yet, and one click makes a working sample. */
export function StartScreen() {
  const [busy, setBusy] = useState(false);
  const start = (work: () => Promise<void>) => () => {
    setBusy(true);
    void work().finally(() => setBusy(false));
  };
  return (
    <section className="start scroll" aria-label="Start">
      <div className="start-inner">
        <h1>Nothing here yet</h1>
        <p className="quiet">
          Muster runs workflows of AI agents over a project on this machine, asks you where only you may
          decide, and keeps every run on disk.
        </p>
        <div className="start-choice">
          <h2>Begin with the sample</h2>
          <p className="quiet">
            A small git repository with two workflows. A scripted agent plays them: offline, without a key, in
            a minute.
          </p>
          <Button tone="primary" icon={Sprout} disabled={busy} onClick={start(createSample)}>
            Create the sample project
          </Button>
        </div>
        <div className="start-choice">
          <h2>Or add a folder of yours</h2>
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
