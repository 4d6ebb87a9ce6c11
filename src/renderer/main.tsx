import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './ui/controls.css';
import './ui/surfaces.css';
import './ui/columns.css';
import './ui/reading.css';
import './parts/gate/gate.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadLayout, loadSettings } from './client/settings';
import { bus, registry } from './client/window';
import { frameActions } from './parts/frame';
import { gateActions } from './parts/gate/actions';
import { listActions } from './parts/list-nav';
import { shellActions } from './shell/actions';
import { App } from './shell/app';
import { views } from './views/registry';

for (const view of views) {
  registry.declare({
    [`go.${view.id}`]: { title: `Go to ${view.title}`, keys: `g ${view.key}`, group: 'Everywhere' },
  });
}
for (const specs of [shellActions, frameActions, listActions, gateActions]) registry.declare(specs);
for (const view of views) registry.declare(view.actions);

// Both come from this machine in a moment; drawn before them, the window would jump. A core that is away holds nothing up.
const PATIENCE_MS = 600;
const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
await Promise.race([Promise.all([loadSettings(), loadLayout()]), patience]);
bus.onLost(() => void loadSettings());

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
