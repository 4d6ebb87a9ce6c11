import '../styles/index.css';
import type { ContextBundle } from '@contract/workflow/definition';
import { type ComponentType, createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { registry } from '../client/window';
import { gateActions } from '../parts/gate/actions';
import { GateAnswer } from '../parts/gate/gate-answer';
import { Marked } from '../parts/marks';
import { outcomeWords } from '../parts/words';
import { Content } from '../views/runs/content';

registry.declare(gateActions);

/** What component tests mount, by name. Props come from a test as JSON. */
const parts = {
  contents: ({ bundles }: { readonly bundles: readonly ContextBundle[] }) =>
    bundles.map((bundle) => <Content key={JSON.stringify(bundle.metadata)} bundle={bundle} />),
  'gate-answer': GateAnswer,
  outcomes: () =>
    Object.entries(outcomeWords).map(([outcome, word]) => (
      <p key={outcome}>
        <Marked word={word} /> <Marked word={word} chip /> <Marked word={word} markOnly />
      </p>
    )),
};
type PartName = keyof typeof parts;

const container = document.getElementById('root');
if (container === null) throw new Error('the page has no root');
const root = createRoot(container);
let mounts = 0;

/** Shows one part alone, from its beginning, in the landmark that every view stands in. */
function mount(name: PartName, props: object): void {
  mounts += 1;
  const part = createElement(parts[name] as ComponentType<object>, { ...props, key: mounts } as object);
  flushSync(() =>
    root.render(
      <main className="scroll">
        <h1 className="hidden-text">{name}</h1>
        {part}
      </main>,
    ),
  );
}

Object.assign(window, { mount });
