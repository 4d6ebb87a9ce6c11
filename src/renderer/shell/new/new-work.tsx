import type { ProfileRow, ProjectRow } from '@areas/agents/contract/procedures';
import { onFormKey } from '@areas/gates/view/parts/answer/form-key';
import { addProject } from '@areas/projects/view/parts/projects';
import { useProject } from '@areas/projects/view/parts/use-project';
import { FolderPlus, Paperclip, Play } from 'lucide-react';
import { useState } from 'react';
import { fileDrop } from '../../client/files/file-drop';
import { useDraft, useQuery, useStart } from '../../client/hooks';
import { hashOf, navigate } from '../../client/route';
import { call } from '../../client/rpc';
import { attempt } from '../../client/toasts';
import { sendCaps } from '../../parts/controls/act';
import { AgentSelect } from '../../parts/controls/agent-select';
import { Attached, pickFiles } from '../../parts/controls/attached';
import { firstUsable } from '../../parts/controls/first-usable';
import { Button } from '../../ui/controls/button';
import { closeFirst, Question } from '../../ui/controls/dialog';
import { Field, Segments, Select, TextArea } from '../../ui/controls/field';
import styles from './new-work.module.css';

type WorkPlace = 'worktree' | 'project';

/** The form, saved until it is started; the agent and the place of the last work are the defaults. */
function useTask() {
  const [prompt, setPrompt] = useDraft('new-work/prompt');
  const [files, setFiles] = useDraft('new-work/files');
  const [agent, setAgent] = useDraft('new-work/agent');
  const [project, setProject] = useDraft('new-work/project');
  const [place, setPlace] = useDraft('new-work/place');
  const paths = files.split('\n').filter((path) => path !== '');
  const attach = (more: readonly string[]) => setFiles([...new Set([...paths, ...more])].join('\n'));
  const remove = (gone: string) => setFiles(paths.filter((path) => path !== gone).join('\n'));
  return {
    prompt,
    setPrompt,
    agent,
    setAgent,
    project: project === '' ? null : Number(project),
    setProject,
    paths,
    attach,
    remove,
    place: place === 'project' ? ('project' as const) : ('worktree' as const),
    setPlace,
    clear: () => {
      setPrompt('');
      setFiles('');
      setProject('');
    },
  };
}

/** One prompt for one agent, started at once. */
export function NewWork({ onClose }: { onClose: () => void }) {
  const task = useTask();
  const { projects, project } = useProject(task.project);
  const agents = useQuery('agent.list', project ? { projectId: project.id } : {}).value ?? [];
  const agent = agents.find(({ profile }) => profile.id === task.agent) ?? firstUsable(agents);
  const [starting, setStarting] = useState(false);
  const { prompt, paths: attachments, place: workspace } = task;
  const wish = {
    projectId: project?.id ?? 0,
    agent: agent?.profile.id ?? '',
    prompt,
    workspace,
    attachments,
  };
  const begin = useStart(JSON.stringify(wish));
  const can = project !== undefined && agent !== undefined && prompt.trim() !== '' && !starting;
  const start = async () => {
    if (!can) return;
    setStarting(true);
    const run = await begin((uid) => attempt(call('run.startTask', { uid, ...wish })));
    setStarting(false);
    if (run === null) return;
    task.clear();
    // The rehearsal that comes with Muster is chosen each time.
    if (agent?.source === 'builtin') task.setAgent('');
    closeFirst(onClose);
    navigate(hashOf('run', run.runId));
  };
  const buttons = (
    <>
      <Button tone="ghost" icon={Paperclip} onClick={() => void pickFiles().then(task.attach)}>
        Attach files
      </Button>
      <span className="grow" />
      <Button tone="ghost" caps={['Esc']} onClick={onClose}>
        Close, keep the draft
      </Button>
      <Button tone="primary" icon={Play} caps={sendCaps} disabled={!can} onClick={() => void start()}>
        Start
      </Button>
    </>
  );
  if (projects?.length === 0) return <NoProject onClose={onClose} />;
  return (
    <Question title="New work" className={styles.newWork} onClose={onClose} footer={buttons}>
      <div {...fileDrop({ attach: task.attach })}>
        <Prompt value={prompt} onChange={task.setPrompt} onSend={() => void start()} onClose={onClose} />
        <Attached paths={attachments} onRemove={task.remove} />
      </div>
      <Choices
        projects={projects ?? []}
        project={project}
        agents={agents}
        agent={agent}
        place={task.place}
        onProject={task.setProject}
        onAgent={task.setAgent}
        onPlace={task.setPlace}
        onLeave={() => closeFirst(onClose)}
      />
    </Question>
  );
}

interface PromptProps {
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly onSend: () => void;
  readonly onClose: () => void;
}

function Prompt({ value, onChange, onSend, onClose }: PromptProps) {
  return (
    <TextArea
      aria-label="Prompt"
      placeholder="What should the agent do?"
      rows={6}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => onFormKey(event, onSend, onClose)}
    />
  );
}

interface ChoicesProps {
  readonly projects: readonly ProjectRow[];
  readonly project: ProjectRow | undefined;
  readonly agents: readonly ProfileRow[];
  readonly agent: ProfileRow | undefined;
  readonly place: WorkPlace;
  readonly onProject: (id: string) => void;
  readonly onAgent: (id: string) => void;
  readonly onPlace: (place: WorkPlace) => void;
  readonly onLeave: () => void;
}

const PLACES = {
  worktree: 'Its own checkout, beside yours, with the committed files.',
  project: 'Your own checkout. Muster asks you before each file change.',
};

function Choices(props: ChoicesProps) {
  const { projects, project, agents, agent, place, onProject, onAgent, onPlace, onLeave } = props;
  return (
    <div className="fields">
      <AgentSelect agents={agents} agent={agent} onAgent={onAgent} onLeave={onLeave} />
      <Field label="Project">
        {(ids) => (
          <Select
            {...ids}
            value={String(project?.id ?? '')}
            onChange={(event) => onProject(event.target.value)}
          >
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Works in" hint={PLACES[place]}>
        {() => (
          <Segments<WorkPlace>
            label="Works in"
            value={place}
            options={[
              { value: 'worktree', label: 'A worktree' },
              { value: 'project', label: 'The project folder' },
            ]}
            onChange={onPlace}
          />
        )}
      </Field>
    </div>
  );
}

function NoProject({ onClose }: { onClose: () => void }) {
  const add = (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button tone="primary" icon={FolderPlus} onClick={() => void addProject()}>
        Add a project folder
      </Button>
    </>
  );
  return (
    <Question title="New work" onClose={onClose} footer={add}>
      <p className="quiet">Work needs a project. Add its folder first.</p>
    </Question>
  );
}
