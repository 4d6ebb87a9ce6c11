import '../styles/index.css';
import type { ProfileRow, WorkflowDetail } from '@areas/agents/contract/procedures';
import { changeActions } from '@areas/changes/view/parts/actions';
import { Changes } from '@areas/changes/view/parts/changes';
import { type LineComment, putComment } from '@areas/changes/view/parts/comments';
import { AgentsHere } from '@areas/doctor/view/parts/agents-here';
import { DoctorPage } from '@areas/doctor/view/parts/doctor-page';
import { IssuesView } from '@areas/forges/view';
import { issuesActions } from '@areas/forges/view/actions';
import { PullActs } from '@areas/forges/view/parts/pull-acts';
import { PullForm } from '@areas/forges/view/parts/pull-form';
import { PullState } from '@areas/forges/view/parts/pull-state';
import { gateActions } from '@areas/gates/view/parts/actions';
import { GateAnswer } from '@areas/gates/view/parts/answer/gate-answer';
import { RunAgain } from '@areas/runs/view/page/run-again';
import { ApplyResult } from '@areas/runs/view/parts/apply/apply-result';
import { Content } from '@areas/runs/view/timeline/content';
import { TimersRow } from '@areas/runs/view/timeline/run-ends';
import type { ContextBundle } from '@areas/workflows/contract/definition';
import { workflowsActions } from '@areas/workflows/view/actions';
import { FileEditor } from '@areas/workflows/view/file/file-editor';
import { Deleted } from '@areas/workflows/view/list/deleted';
import { StepList } from '@areas/workflows/view/page/step-list';
import { ListEditing } from '@areas/workflows/view/parts/canvas/edit/list-editing';
import { WorkflowCanvas } from '@areas/workflows/view/parts/canvas/workflow-canvas';
import { StepPanel } from '@areas/workflows/view/parts/step-panel/step-panel';
import { WorkflowPanel } from '@areas/workflows/view/parts/step-panel/workflow-panel';
import { type ComponentProps, type ComponentType, createElement, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { DayChart } from '../charts/day-chart';
import type { DayValue } from '../charts/series';
import { money } from '../client/format';
import { registry } from '../client/wire/window';
import { AgentSelect } from '../parts/controls/agent-select';
import { firstUsable } from '../parts/controls/first-usable';
import { Marked } from '../parts/marks/marks';
import { ErrorNote } from '../parts/problems/error-note';
import { Problems } from '../parts/problems/problems';
import { outcomeWords } from '../parts/words/status-words';
import { Tabs } from '../ui/controls/tabs';
import { AttentionRows } from './attention-rows';
import { StepFormPart } from './step-form';

registry.declare({ ...changeActions, ...gateActions, ...issuesActions, ...workflowsActions });

const NO_PANELS = new Map();

interface FileProps {
  readonly projectId: number;
  readonly file: string;
  readonly value: WorkflowDetail;
}

function OnCanvas(props: FileProps) {
  const [step, setStep] = useState<string | null>(null);
  return (
    <div style={{ display: 'flex', height: '90vh' }}>
      <WorkflowCanvas {...props} step={step} onStep={setStep} />
    </div>
  );
}

interface ChangeProps {
  readonly runId: number;
  /** Lines take comments, and the keys work everywhere. */
  readonly reviewed?: boolean;
}

function OnChanges({ runId, reviewed = false }: ChangeProps) {
  const [comments, setComments] = useState<readonly LineComment[]>([]);
  const onComment = (comment: LineComment) => setComments((now) => putComment(now, comment));
  const review = { comments, onComment, drafts: `component/${runId}`, sentWith: 'answer' } as const;
  const keys = reviewed ? 'page' : 'focus';
  return (
    <Changes
      runId={runId}
      of={{ kind: 'session', sessionId: 1 }}
      review={reviewed ? review : null}
      keys={keys}
    />
  );
}

const OnIssues = () => (
  <div style={{ display: 'flex', height: '90vh' }}>
    <IssuesView />
  </div>
);

const THREE_TABS = ['Turn', 'Diff', 'Terminal'].map((label) => ({ id: label, label }));

function ThreeTabs() {
  const [value, choose] = useState('Turn');
  return <Tabs label="Work" value={value} tabs={THREE_TABS} onChange={choose} />;
}

function ChosenAgent({ agents }: { readonly agents: readonly ProfileRow[] }) {
  const [id, setId] = useState(firstUsable(agents)?.profile.id);
  return (
    <AgentSelect agents={agents} agent={agents.find(({ profile }) => profile.id === id)} onAgent={setId} />
  );
}

const InList = (props: FileProps) => (
  <ListEditing {...props} onOpen={() => {}}>
    {(acts) => <StepList value={props.value} acts={acts} />}
  </ListEditing>
);

/** The components that tests mount, by name. Props come from a test as JSON. */
const parts = {
  apply: (props: Omit<ComponentProps<typeof ApplyResult>, 'onClose' | 'onApplied'>) => (
    <ApplyResult {...props} onClose={() => {}} onApplied={() => {}} />
  ),
  'agent-select': ChosenAgent,
  'agents-here': AgentsHere,
  'attention-rows': AttentionRows,
  changes: OnChanges,
  chart: ({ days }: { readonly days: readonly DayValue[] }) => (
    <DayChart title="Cost by day" days={days} format={money} />
  ),
  contents: ({ bundles }: { readonly bundles: readonly ContextBundle[] }) =>
    bundles.map((bundle) => <Content key={JSON.stringify(bundle.metadata)} runId={null} bundle={bundle} />),
  canvas: OnCanvas,
  deleted: Deleted,
  doctor: DoctorPage,
  'error-note': ErrorNote,
  file: ({ value }: FileProps) => <FileEditor row={value} />,
  'gate-answer': GateAnswer,
  issues: OnIssues,
  list: InList,
  outcomes: () =>
    Object.entries(outcomeWords).map(([outcome, word]) => (
      <p key={outcome}>
        <Marked word={word} /> <Marked word={word} chip /> <Marked word={word} markOnly />
      </p>
    )),
  problems: Problems,
  pull: (props: ComponentProps<typeof PullActs>) => (
    <>
      <PullState record={props.record} />
      <PullActs {...props} />
    </>
  ),
  'pull-form': PullForm,
  'run-again': (props: Omit<ComponentProps<typeof RunAgain>, 'onClose'>) => (
    <RunAgain {...props} onClose={() => {}} />
  ),
  settings: WorkflowPanel,
  'step-form': StepFormPart,
  step: (props: FileProps & { readonly step: readonly string[] }) => (
    <StepPanel {...props} panels={NO_PANELS} />
  ),
  tabs: ThreeTabs,
  timers: TimersRow,
};
type PartName = keyof typeof parts;

window.addEventListener('keydown', (event) => {
  if (!event.defaultPrevented && registry.press(event)) event.preventDefault();
});

const container = document.getElementById('root');
if (container === null) throw new Error('the page has no root');
const root = createRoot(container);
let mounts = 0;

/** Mounts one component alone, in the landmark that contains every view. */
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
