import { Button } from '../ui/button';
import type { Earlier, Listed } from './earlier-runs';

/** Below a list of what the last runs have: the way to those before them. */
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
