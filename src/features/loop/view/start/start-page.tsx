import { StartPage } from '@areas/projects/view/parts/start-page';
import { Button } from '@renderer/ui/controls/button';
import { Repeat, Sprout } from 'lucide-react';
import { LoopForm } from './loop-form';
import { startSampleLoop } from './sample';
import { WatchForm } from './watch-form';

/** Starts a loop: over a project's plan, or a sample with one click. */
export function LoopStart({ first }: { readonly first: boolean }) {
  return (
    <StartPage
      label="Start a loop"
      icon={Repeat}
      title={first ? 'No loops yet' : 'Start a loop'}
      about={
        <>
          A loop works through the stories of a <code>prd.json</code>: a fresh worker for each attempt, one at
          a time, with an update after each. It stops and asks you when a worker is blocked.
        </>
      }
      act={
        <Button icon={Sprout} onClick={() => void startSampleLoop()}>
          Start the sample loop
        </Button>
      }
    >
      {({ id, path }) => (
        <>
          <LoopForm key={id} projectId={id} projectPath={path} />
          <WatchForm key={`watch ${id}`} projectId={id} />
        </>
      )}
    </StartPage>
  );
}
