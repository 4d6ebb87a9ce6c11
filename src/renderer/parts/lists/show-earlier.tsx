import { Button } from '../../ui/controls/button';
import type { Earlier, Listed } from './earlier-runs';

/** Below a list from the last runs: a button for earlier runs. */
export function ShowEarlier({ of }: { of: Earlier<Listed> }) {
  if (!of.more) return null;
  return (
    <footer className="pane-foot">
      <span className="grow quiet">Of the last {of.looked} runs</span>
      <Button disabled={of.status === 'loading'} onClick={of.lookFurther}>
        Show earlier
      </Button>
    </footer>
  );
}
