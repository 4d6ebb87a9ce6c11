import { Deliveries } from '@areas/deliveries/view/parts/deliveries';
import { DoctorPage } from '@areas/doctor/view/parts/doctor-page';
import { Hosts } from '@areas/hosts/view/parts/hosts';
import { Rules } from '@areas/permissions/view/parts/rules';
import { ProjectSettings } from '@areas/projects/view/parts/project-settings';
import { useReadable, useRoute } from '@renderer/client/hooks';
import { hashOf, replaceRoute, withQuery } from '@renderer/client/route';
import { highlightMatches } from '@renderer/client/search/highlight-matches';
import { searchWords } from '@renderer/client/search/search-words';
import { registry } from '@renderer/client/wire/window';
import { ListSearch, ListView } from '@renderer/parts/lists/list-view';
import { HighlightedText } from '@renderer/parts/text/highlighted-text';
import { Glyph, type Icon } from '@renderer/ui/controls/icon';
import type { ListRow } from '@renderer/ui/lists/list';
import { TwoLines } from '@renderer/ui/lists/two-lines';
import {
  Bell,
  Command,
  FolderCog,
  FolderGit2,
  HardDrive,
  LifeBuoy,
  Network,
  Palette,
  Send,
  Server,
  ShieldCheck,
  SquarePen,
  SquareTerminal,
  Stethoscope,
} from 'lucide-react';
import { type ComponentType, useEffect, useRef } from 'react';
import { Api } from './api';
import { Appearance } from './appearance';
import { KeySettings } from './key-settings';
import { Notifications } from './notifications';
import { foundPages, SETTINGS_TITLES, type SettingsPage } from './pages';
import { Safety } from './safety';
import styles from './settings.module.css';
import { System } from './system';
import { Terminals } from './terminals';
import { Work } from './work';
import { Worktrees } from './worktrees';

interface Section {
  readonly icon: Icon;
  readonly body: ComponentType;
}

const SECTIONS: Readonly<Record<SettingsPage, Section>> = {
  appearance: { icon: Palette, body: Appearance },
  work: { icon: SquarePen, body: Work },
  projects: { icon: FolderCog, body: ProjectSettings },
  rules: { icon: ShieldCheck, body: Rules },
  terminals: { icon: SquareTerminal, body: Terminals },
  worktrees: { icon: FolderGit2, body: Worktrees },
  hosts: { icon: Server, body: Hosts },
  deliveries: { icon: Send, body: Deliveries },
  notifications: { icon: Bell, body: Notifications },
  keys: { icon: Command, body: KeySettings },
  api: { icon: Network, body: Api },
  backups: { icon: LifeBuoy, body: Safety },
  doctor: { icon: Stethoscope, body: DoctorPage },
  system: { icon: HardDrive, body: System },
};

const PAGES = Object.keys(SECTIONS) as SettingsPage[];

interface SectionRow extends ListRow {
  readonly page: SettingsPage;
  readonly labels: readonly string[];
}

const ONE_LINE = 34;
const TWO_LINES = 52;

/** The sections that match the search in the address, with the settings found in each. */
function useRows(text: string): SectionRow[] {
  useReadable(registry.version);
  const keys = registry.specs().map(([, { title }]) => title);
  return foundPages(text, keys).map(({ page, labels }) => ({
    key: page,
    height: labels.length === 0 ? ONE_LINE : TWO_LINES,
    page,
    labels,
  }));
}

export function SettingsView() {
  const { path, query } = useRoute();
  const { q = '' } = query;
  const rows = useRows(q);
  const asked = PAGES.find((one) => one === path[1]) ?? 'appearance';
  // The first section with a match, unless the shown one has one too.
  const page = rows.some((row) => row.page === asked) ? asked : (rows[0]?.page ?? asked);
  const select = (row: SectionRow) => replaceRoute(withQuery(hashOf('settings', row.page), { q }));
  return (
    <ListView
      id="settings"
      title="Settings"
      rows={rows}
      selected={rows.length === 0 ? null : page}
      draw={(row) => <Row row={row} words={searchWords(q)} />}
      onSelect={select}
      head={<ListSearch of="settings" />}
      error={null}
      above={rows.length === 0 && <p className={`quiet ${styles.none}`}>No matches</p>}
      front={path[1] ? 'detail' : 'list'}
      detail={<Page key={page} page={page} found={q} />}
    />
  );
}

function Row({ row: { page, labels }, words }: { row: SectionRow; words: readonly string[] }) {
  const mark = <Glyph of={SECTIONS[page].icon} />;
  const title = <HighlightedText text={SETTINGS_TITLES[page]} words={words} />;
  if (labels.length > 0)
    return (
      <TwoLines
        mark={mark}
        title={title}
        under={<HighlightedText text={labels.join(', ')} words={words} />}
      />
    );
  return (
    <div className="one-line">
      {mark}
      <span>{title}</span>
    </div>
  );
}

function Page({ page, found }: { page: SettingsPage; found: string }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => (ref.current ? highlightMatches(ref.current, found) : undefined), [found]);
  const { body: Body } = SECTIONS[page];
  const title = SETTINGS_TITLES[page];
  return (
    <article className="pane" aria-label={title}>
      <header className="detail-head">
        <div className="detail-line">
          <h1>{title}</h1>
        </div>
      </header>
      <div ref={ref} className="scroll profile-body" data-focus tabIndex={-1}>
        <Body />
      </div>
    </article>
  );
}
