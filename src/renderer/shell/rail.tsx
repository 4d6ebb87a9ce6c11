import { Plus } from 'lucide-react';
import { useReadable } from '../client/hooks';
import { hashOf } from '../client/route';
import { registry } from '../client/wire/window';
import type { ViewEntry } from '../parts/pages/view-entry';
import { Glyph } from '../ui/controls/icon';
import { Keys } from '../ui/controls/keys';
import { views } from '../views/registry';
import styles from './rail.module.css';

/** The views, each with its name and keys on hover. */
export function Rail({ current }: { current: string }) {
  useReadable(registry.version);
  const upper = views.filter((view) => view.foot !== true);
  const lower = views.filter((view) => view.foot === true);
  return (
    <nav className={styles.rail} aria-label="Views">
      <NewWorkButton />
      {upper.map((view) => (
        <RailLink key={view.id} view={view} current={view.id === current} />
      ))}
      <span className="grow" />
      {lower.map((view) => (
        <RailLink key={view.id} view={view} current={view.id === current} />
      ))}
    </nav>
  );
}

function NewWorkButton() {
  return (
    <button
      type="button"
      className={styles.railLink}
      aria-label="New work"
      onClick={() => registry.run('work.new')}
    >
      <Glyph of={Plus} size={18} />
      <span className={styles.railTip} aria-hidden>
        New work <Keys caps={registry.capsOf('work.new')} />
      </span>
    </button>
  );
}

const none = () => 0;

function RailLink({ view, current }: { view: ViewEntry; current: boolean }) {
  const waiting = (view.useCount ?? none)();
  return (
    <a
      className={styles.railLink}
      href={hashOf(view.paths[0] ?? '')}
      aria-current={current ? 'page' : undefined}
      aria-label={waiting > 0 ? `${view.title}, ${waiting} ${view.countWord ?? 'waiting'}` : view.title}
      draggable={false}
    >
      <Glyph of={view.icon} size={18} />
      {waiting > 0 && (
        <span className={`${styles.railCount} ${view.countWord ?? ''}`}>
          {waiting > 99 ? '99+' : waiting}
        </span>
      )}
      <span className={styles.railTip} aria-hidden>
        {view.title} <Keys caps={registry.capsOf(`go.${view.id}`)} />
      </span>
    </a>
  );
}
