import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import type { Action } from '../client/actions';
import { keyCaps } from '../client/keys/keys';
import { isMac, registry } from '../client/wire/window';
import { Button } from '../ui/controls/button';
import { Dialog } from '../ui/controls/dialog';
import { Keys } from '../ui/controls/keys';
import styles from './keys-overlay.module.css';

/** All keys that work here, the innermost view first. */
export function KeysOverlay({ onClose }: { onClose: () => void }) {
  // The actions available when it was opened: the overlay itself takes the focus.
  const [actions] = useState(() =>
    registry.available().filter((action) => registry.keysOf(action.id) !== ''),
  );
  const help = actions.find(({ id }) => id === 'app.help');
  const groups = [...new Set(actions.map((action) => action.group))];
  return (
    <Dialog label="Keys of this page" className={styles.keysOverlay} onClose={onClose}>
      <div className={styles.keysHead}>
        <h2 className="grow">Keys of this page</h2>
        <Button
          icon={BookOpen}
          onClick={() => {
            onClose();
            help?.run();
          }}
        >
          Help for this page
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll it */}
      <div className={styles.keysGroups} tabIndex={0}>
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            {actions
              .filter((action) => action.group === group)
              .map((action) => (
                <KeyLine key={action.id} action={action} />
              ))}
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function KeyLine({ action }: { action: Action }) {
  return (
    <div className={styles.keyLine}>
      <span className="grow">{action.title}</span>
      {registry
        .keysOf(action.id)
        .split(', ')
        .map((keys) => (
          <Keys key={keys} caps={keyCaps(keys, isMac)} />
        ))}
    </div>
  );
}
