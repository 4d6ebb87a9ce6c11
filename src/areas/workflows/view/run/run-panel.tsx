import type { WorkflowRow } from '@areas/agents/contract/procedures';
import { fileDrop } from '@renderer/client/files/file-drop';
import { plural } from '@renderer/client/format';
import { useDraft, useHandlers, useQuery, useReadable, useStart } from '@renderer/client/hooks';
import { runList } from '@renderer/client/lists/lists';
import { hashOf, navigate } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { ActButton } from '@renderer/parts/controls/act';
import { Attached, pickFiles } from '@renderer/parts/controls/attached';
import { Marked } from '@renderer/parts/marks/marks';
import { Ago } from '@renderer/parts/text/ago';
import { nowWords, runWordOf } from '@renderer/parts/words/status-words';
import { TextArea } from '@renderer/ui/controls/field';
import { Section } from '@renderer/ui/layout/facts';
import { sentence } from '@renderer/ui/sentence';
import { Paperclip, Play } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { InputFields } from './input-fields';
import { draftWith, type InputField, inputForm, writtenInputs } from './input-form';
import styles from './run-panel.module.css';

/**
 * The form of the workflow's inputs, with its draft. `ask` shows the missing ones, at the first such field.
 */
function useInputs(row: WorkflowRow, place: string) {
  const { value } = useQuery('workflow.get', { projectId: row.projectId, file: row.file });
  const [draft, setDraft] = useDraft(`${place}/inputs`);
  const [attempts, setAttempts] = useState(0);
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    if (attempts > 0) panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [attempts]);
  const written = writtenInputs(draft);
  const inputs = value?.definition?.inputs;
  const form = inputForm(inputs ?? {}, written, attempts > 0);
  return {
    ...form,
    panel,
    ask: () => setAttempts(attempts + 1),
    change: (field: InputField, text: string) => setDraft((now) => draftWith(now, field, text)),
  };
}

/** Starts the workflow: with an instruction, its inputs, and attached files. */
export function RunPanel({ row }: { row: WorkflowRow }) {
  const place = `workflow/${row.projectId}/${row.file}`;
  const [instruction, setInstruction] = useDraft(`${place}/instruction`);
  const [files, setFiles] = useDraft(`${place}/files`);
  const paths = files.split('\n').filter((path) => path !== '');
  const [starting, setStarting] = useState(false);
  const [over, setOver] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const attach = (more: readonly string[]) => setFiles([...new Set([...paths, ...more])].join('\n'));
  const inputs = useInputs(row, place);
  const begin = useStart(JSON.stringify([place, instruction, files, inputs.given]));
  const start = async () => {
    if (!inputs.valid) return inputs.ask();
    setStarting(true);
    const { projectId, file } = row;
    const wanted = { projectId, file, instruction, attachments: paths, inputs: inputs.given };
    const run = await begin((uid) => attempt(call('run.start', { uid, ...wanted })));
    setStarting(false);
    if (run === null) return;
    setFiles('');
    navigate(hashOf('run', run.runId));
  };
  useHandlers({
    'workflow.run': row.runnable && !starting ? () => void start() : null,
    'workflow.write': () => area.current?.focus(),
    'workflow.attach': () => void pickFiles().then(attach),
  });
  return (
    <aside
      ref={inputs.panel}
      className={`pane side-pane ${styles.runPanel} scroll ${over ? styles.drop : ''}`}
      aria-label="Run the workflow"
      {...fileDrop({ attach, over: setOver })}
    >
      <label htmlFor="instruction">Instruction</label>
      <TextArea
        id="instruction"
        ref={area}
        rows={6}
        placeholder="What to do, for example: Add rate limiting to the API"
        value={instruction}
        onChange={(event) => setInstruction(event.target.value)}
      />
      <InputFields fields={inputs.fields} onChange={inputs.change} />
      <Attached
        paths={paths}
        onRemove={(gone) => setFiles(paths.filter((path) => path !== gone).join('\n'))}
      />
      <ActButton action="workflow.attach" tone="ghost" icon={Paperclip}>
        Attach files, or drop them here
      </ActButton>
      <ActButton
        action="workflow.run"
        tone="primary"
        icon={Play}
        className="wide"
        disabled={!row.runnable || starting}
        aria-describedby="why-not"
      >
        Run
      </ActButton>
      <p id="why-not" className="note failed-text">
        {whyNot(row)}
      </p>
      <LastRuns row={row} />
    </aside>
  );
}

function whyNot(row: WorkflowRow): string {
  if (row.runnable) return '';
  const errors = row.problems.filter((problem) => problem.severity === 'error');
  const [first] = errors;
  if (!first) return 'This workflow cannot run now.';
  const more = errors.length > 1 ? `, and ${plural(errors.length - 1, 'more error')}` : '';
  return `Cannot run: ${first.message}${more}`;
}

const MOST_EARLIER = 8;
/** The mark in front says it already. */
const WAITING = /^Waits for you: /;

function LastRuns({ row }: { row: WorkflowRow }) {
  const { rows } = useReadable(useMemo(() => runList({ binned: false }).view, []));
  const runs = rows
    .filter((run) => run.projectId === row.projectId && run.workflowName === row.name)
    .slice(0, MOST_EARLIER);
  if (runs.length === 0) return null;
  return (
    <Section title="Last runs">
      <ul className={styles.lastRuns}>
        {runs.map((run) => (
          <li key={run.id}>
            <a href={hashOf('run', run.uid)}>
              <Marked word={runWordOf(run)} />
              <span className="cut grow quiet">
                {run.finishedAt === null ? sentence(nowWords(run).replace(WAITING, '')) : ''}
              </span>
              <span className="faint note">
                <Ago at={run.startedAt} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Section>
  );
}
