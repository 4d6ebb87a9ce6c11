import './styles/index.css';
import { changeActions } from '@areas/changes/view/parts/actions';
import { gateActions } from '@areas/gates/view/parts/actions';
import { StrictMode } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { followSettings, loadLayout, loadSettings } from './client/settings';
import { readFirst } from './client/wire/startup-queries';
import { bus, registry } from './client/wire/window';
import { FIRST_PAINT_WAIT_MS } from './limits';
import { listActions } from './parts/lists/list-nav';
import { frameActions } from './parts/pages/frame';
import { shellActions } from './shell/actions';
import { App } from './shell/app';
import { views } from './views/registry';

for (const view of views) {
  registry.declare({
    [`go.${view.id}`]: {
      title: `Go to ${view.title}`,
      keys: `g ${view.key}`,
      group: 'Everywhere',
      words: view.words ?? '',
    },
    ...(view.begins && { [`begin.${view.id}`]: { title: view.begins.title, group: 'Everywhere' } }),
    ...(view.sample && { [`sample.${view.id}`]: { title: view.sample.act, group: 'Projects' } }),
  });
}
for (const specs of [shellActions, frameActions, listActions, gateActions, changeActions])
  registry.declare(specs);
for (const view of views) registry.declare(view.actions);
followSettings();
const known = Promise.all([loadSettings(), loadLayout(), readFirst(window.location.hash)]);
const late = new Promise((resolve) => setTimeout(resolve, FIRST_PAINT_WAIT_MS));
bus.onLost(() => void loadSettings());

const root = document.getElementById('root');
void Promise.race([known, late]).then(() => {
  if (root === null) return;
  // Registered at once, so that the first key press is handled.
  flushSync(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
});
