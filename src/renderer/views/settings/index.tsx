import {
  Bell,
  Command,
  FolderGit2,
  HardDrive,
  Network,
  Palette,
  Send,
  ShieldCheck,
  SquarePen,
  SquareTerminal,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { useRoute } from '../../client/hooks';
import { hashOf, replaceRoute } from '../../client/route';
import { openDetail, useListNav } from '../../parts/lists/list-nav';
import { RowList } from '../../parts/lists/row-list';
import { Frame } from '../../parts/pages/frame';
import { Glyph, type Icon } from '../../ui/controls/icon';
import type { ListRow } from '../../ui/lists/list';
import { Api } from './api';
import { Appearance } from './appearance';
import { Deliveries } from './deliveries/deliveries';
import { KeySettings } from './key-settings';
import { Notifications } from './notifications';
import { SETTINGS_TITLES, type SettingsPage } from './pages';
import { Rules } from './rules/rules';
import styles from './settings.module.css';
import { System } from './system';
import { Terminals } from './terminals';
import { Work } from './work';
import { Worktrees } from './worktrees';

interface SectionRow extends ListRow {
  readonly title: string;
  readonly icon: Icon;
  readonly body: ComponentType;
}

const section = (key: SettingsPage, more: Pick<SectionRow, 'icon' | 'body'>): SectionRow => ({
  key,
  title: SETTINGS_TITLES[key],
  height: 34,
  ...more,
});

const SECTIONS: readonly SectionRow[] = [
  section('appearance', { icon: Palette, body: Appearance }),
  section('work', { icon: SquarePen, body: Work }),
  section('rules', { icon: ShieldCheck, body: Rules }),
  section('terminals', { icon: SquareTerminal, body: Terminals }),
  section('worktrees', { icon: FolderGit2, body: Worktrees }),
  section('deliveries', { icon: Send, body: Deliveries }),
  section('notifications', { icon: Bell, body: Notifications }),
  section('keys', { icon: Command, body: KeySettings }),
  section('api', { icon: Network, body: Api }),
  section('system', { icon: HardDrive, body: System }),
];

export function SettingsView() {
  const { path } = useRoute();
  const current = SECTIONS.find((section) => section.key === path[1]) ?? SECTIONS[0];
  const select = (row: SectionRow) => replaceRoute(hashOf('settings', row.key));
  useListNav({ rows: SECTIONS, selected: current?.key ?? null, onSelect: select });
  if (!current) return null;
  return (
    <Frame
      id="settings"
      front={path[1] ? 'detail' : 'list'}
      list={
        <section className={`pane ${styles.settingsList}`} aria-label="Settings">
          <RowList
            label="Settings"
            rows={SECTIONS}
            selected={current.key}
            draw={(row) => (
              <div className="one-line">
                <Glyph of={row.icon} />
                <span>{row.title}</span>
              </div>
            )}
            onSelect={select}
            onOpen={openDetail}
          />
        </section>
      }
      detail={
        <article className="pane" aria-label={current.title}>
          <header className="detail-head">
            <div className="detail-line">
              <h1>{current.title}</h1>
            </div>
          </header>
          <div className="scroll profile-body" data-focus tabIndex={-1}>
            <current.body />
          </div>
        </article>
      }
    />
  );
}
