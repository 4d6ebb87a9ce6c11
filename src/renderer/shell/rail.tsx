import { Plus } from 'lucide-react';
import { useEffect } from 'react';
import { useReadable } from '../client/hooks';
import { hashOf } from '../client/route';
import { layout, saveLayout, settings } from '../client/settings';
import { registry } from '../client/wire/window';
import { type ViewEntry, viewGroups } from '../parts/pages/view-entry';
import { Glyph } from '../ui/controls/icon';
import { useMedia } from '../ui/layout/columns';
import { views } from '../views/registry';
import styles from './rail.module.css';
import { USED_VIEWS, usedViews, withUsed } from './used-views';

/** Below this width a canvas needs the space that names would take. */
const NARROW = '(max-width: 1300px)';

/** The views in their groups, each with its name, and its keys on hover. */
export function Rail({ current }: { current: string }) {
  useReadable(registry.version);
  const iconsAlone = useReadable(settings).rail === 'icons';
  const withWords = !useMedia(NARROW) && !iconsAlone;
  const used = usedViews(useReadable(layout)[USED_VIEWS]);
  useEffect(() => {
    const before = layout.get()[USED_VIEWS];
    const after = withUsed(before, current);
    if (after !== null) saveLayout(USED_VIEWS, after);
  }, [current]);
  return (
    <nav className={`${styles.rail} ${withWords ? styles.words : styles.icons}`} aria-label="Views">
      <NewWorkButton />
      {viewGroups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form
        <div key={group} role="group" className={styles.railGroup} aria-label={group}>
          <span className={styles.railHeading} aria-hidden>
            {group}
          </span>
          {views
            .filter((view) => view.group === group)
            .map((view) => (
              <RailLink key={view.id} view={view} current={view.id === current} used={used.has(view.id)} />
            ))}
        </div>
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
      <span className={styles.railWord}>New work</span>
      <Tip title="New work" action="work.new" />
    </button>
  );
}

/** The keys are drawn, not text: what can be read in a link has to be its name. */
const Tip = ({ title, action }: { readonly title: string; readonly action: string }) => (
  <span className={styles.railTip} aria-hidden>
    <span className={styles.railTipWord}>{title} </span>
    <span className={styles.railTipKeys} data-keys={registry.capsOf(action).join(' ')} />
  </span>
);

const none = () => 0;

interface RailLinkProps {
  readonly view: ViewEntry;
  readonly current: boolean;
  /** The operator has been there. */
  readonly used: boolean;
}

function RailLink({ view, current, used }: RailLinkProps) {
  const waiting = (view.useCount ?? none)();
  const small = !used && !current && waiting === 0;
  return (
    <a
      className={`${styles.railLink} ${small ? styles.unused : ''}`}
      href={hashOf(view.paths[0] ?? '')}
      aria-current={current ? 'page' : undefined}
      aria-label={waiting > 0 ? `${view.title}, ${waiting} ${view.countWord ?? 'waiting'}` : view.title}
      draggable={false}
    >
      <Glyph of={view.icon} size={18} />
      <span className={styles.railWord}>{view.title}</span>
      {waiting > 0 && (
        <span className={`${styles.railCount} ${view.countWord ?? ''}`}>
          {waiting > 99 ? '99+' : waiting}
        </span>
      )}
      <Tip title={view.title} action={`go.${view.id}`} />
    </a>
  );
}
