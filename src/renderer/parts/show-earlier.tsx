import { Button } from '../ui/button';
import type { Earlier } from './earlier';

/** Below a list of what the last runs have: the way to those before them. */
export function ShowEarlier({ of }: { of: Earlier<'team.list'> | Earlier<'loop.list'> }) {
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
