import { addProject, createSample } from '@areas/projects/view/parts/projects';
import { startSampleWorkflow } from '@areas/projects/view/parts/samples';
import { NewWorkflow } from '@areas/workflows/view/parts/new-workflow/new-workflow';
import { highlightMatches } from '@renderer/client/search/highlight-matches';
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { innermost, isTyping } from '../client/actions';
import { useHandlers, useQuery, useReadable, useRoute } from '../client/hooks';
import { isGone, keepFocus } from '../client/keys/focus-recovery';
import { toPane } from '../client/keys/panes';
import { StrayKeys } from '../client/keys/stray-keys';
import { runList } from '../client/lists/lists';
import { hashOf, navigate } from '../client/route';
import { saveSettings, settings } from '../client/settings';
import { registry } from '../client/wire/window';
import { copyAddress } from '../parts/controls/copy';
import { views } from '../views/registry';
import styles from './app.module.css';
import { KeysOverlay } from './keys-overlay';
import { NewWork } from './new/new-work';
import { Announcer } from './notices/announcer';
import { CoreBanner } from './notices/core-banner';
import { Toaster } from './notices/toaster';
import { UndoBar } from './notices/undo-bar';
import { Palette } from './palette/palette';
import { Rail } from './rail';
import { StartScreen } from './start-screen';
import { StatusBar } from './status-bar';
import { useTheme } from './theme';
import { ViewBoundary } from './view-boundary';

const FIRST = views[0];

type Floating = 'palette' | 'keys' | 'work' | 'workflow';

/** The main window: rail, the view of the address, status bar, and overlays. */
export function App() {
  const route = useRoute();
  const [floating, setFloating] = useState<Floating | null>(null);
  const view = views.find((view) => view.paths.includes(route.path[0] ?? '')) ?? FIRST;
  useTheme();
  useKeys(floating !== null);
  useEffect(() => keepFocus(document), []);
  useShellActions(route.path, setFloating);
  const place = useRef<HTMLElement>(null);
  const { find = '' } = route.query;
  useEffect(() => (place.current ? highlightMatches(place.current, find) : undefined), [find]);
  const projects = useQuery('project.list', {});
  const isFirstStart = projects.value?.length === 0 && view?.needsProject === true;
  useEffect(() => {
    document.title = view ? `${view.title} – Muster` : 'Muster';
  }, [view]);
  return (
    <div className={styles.app}>
      <CoreBanner />
      <Rail current={view?.id ?? ''} />
      <main ref={place} className={styles.place} aria-label={view?.title}>
        <h1 className="hidden-text">{view?.title}</h1>
        <ViewBoundary viewId={view?.id ?? ''}>
          <Suspense>
            {isFirstStart ? (
              <FirstStart>{view && <view.component key={view.id} />}</FirstStart>
            ) : (
              view && <view.component key={view.id} />
            )}
          </Suspense>
        </ViewBoundary>
      </main>
      <StatusBar />
      {floating === 'palette' && <Palette onClose={() => setFloating(null)} />}
      {floating === 'keys' && <KeysOverlay onClose={() => setFloating(null)} />}
      {floating === 'work' && <NewWork onClose={() => setFloating(null)} />}
      {floating === 'workflow' && (
        <NewWorkflow run={null} projectId={null} onClose={() => setFloating(null)} />
      )}
      <UndoBar />
      <Toaster />
      <Announcer />
    </div>
  );
}

/** Without a project there may still be runs: their gates wait, whatever projects are listed. */
function FirstStart({ children }: { children: ReactNode }) {
  const { rows, status } = useReadable(useMemo(() => runList({ binned: false }).view, []));
  if (status === 'loading') return null;
  return status === 'ready' && rows.length === 0 ? <StartScreen /> : children;
}

/** Where help begins for an address. */
const helpOf = (path: readonly string[]): readonly string[] =>
  views.find((view) => view.paths.includes(path[0] ?? ''))?.help ?? [];

/** A dialog covers the page: keys do not apply to it. */
const isBehindDialog = (): boolean => document.querySelector('dialog:modal') !== null;

function useKeys(floating: boolean): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // A button is pressed once, however long the key is held: its next effect may be another one.
      if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement)
        event.preventDefault();
      if (floating || event.defaultPrevented || event.isComposing || isBehindDialog()) return;
      if (registry.press(event)) event.preventDefault();
    };
    const stop = () => registry.stopWalking();
    window.addEventListener('keydown', press);
    window.addEventListener('pointerdown', stop, { capture: true });
    return () => {
      window.removeEventListener('keydown', press);
      window.removeEventListener('pointerdown', stop, { capture: true });
    };
  }, [floating]);
  useEffect(() => {
    const stray = new StrayKeys<EventTarget>({ isGone });
    const press = (event: KeyboardEvent) => {
      const target = innermost(event);
      if (!stray.isStray(event, isTyping(target) ? target : null)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const forget = () => stray.forget();
    window.addEventListener('keydown', press, { capture: true });
    window.addEventListener('pointerdown', forget, { capture: true });
    return () => {
      window.removeEventListener('keydown', press, { capture: true });
      window.removeEventListener('pointerdown', forget, { capture: true });
    };
  }, []);
}

function useShellActions(path: readonly string[], float: (what: Floating) => void): void {
  const { theme, density, rail } = useReadable(settings);
  const themeTo = (next: typeof theme) => (next === theme ? null : () => void saveSettings({ theme: next }));
  useHandlers({
    ...Object.fromEntries(
      views.map((view) => [`go.${view.id}`, () => navigate(hashOf(view.paths[0] ?? ''))]),
    ),
    ...Object.fromEntries(
      views.flatMap(({ id, begins }) =>
        begins ? [[`begin.${id}`, () => navigate(hashOf(...begins.path))]] : [],
      ),
    ),
    ...Object.fromEntries(
      views.flatMap(({ id, sample }) => (sample ? [[`sample.${id}`, () => void sample.start()]] : [])),
    ),
    'work.new': () => float('work'),
    'workflow.new': () => float('workflow'),
    'app.palette': () => float('palette'),
    'app.keys': () => float('keys'),
    'app.help': () => navigate(hashOf('help', ...helpOf(path))),
    'app.copyAddress': () => copyAddress(...path),
    'app.pane.next': () => toPane(document, 1),
    'app.pane.previous': () => toPane(document, -1),
    'app.back': () => window.history.back(),
    'app.forward': () => window.history.forward(),
    'app.theme.light': themeTo('light'),
    'app.theme.dark': themeTo('dark'),
    'app.theme.system': themeTo('system'),
    'app.density': () => void saveSettings({ density: density === 'dense' ? 'normal' : 'dense' }),
    'app.rail': () => void saveSettings({ rail: rail === 'icons' ? 'words' : 'icons' }),
    'project.add': () => void addProject(),
    'project.sample': () => void createSample(),
    'sample.workflow': () => void startSampleWorkflow(),
  });
}
