import type { WorkflowRow } from '@areas/agents/contract/procedures';
import type { ProcedureOutput } from '@contract/ipc';
import { workflowFile } from '@renderer/client/files/workflow-file';
import { useDraft, useHandlers, useQuery, useReadable } from '@renderer/client/hooks';
import { jumps, leadsTo } from '@renderer/client/keys/jump';
import { call } from '@renderer/client/rpc';
import { attempt, say } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { TYPING_SETTLED_MS } from '@renderer/limits';
import { ActButton } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Problems } from '@renderer/parts/problems/problems';
import { Button } from '@renderer/ui/controls/button';
import { Note } from '@renderer/ui/layout/note';
import { Save, Undo2 } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { WorkflowEdit } from '../../contract/edit';
import type { FileChange } from '../../contract/editing';
import { Reading } from '../parts/step-panel/reading';
import { YamlEditor, type YamlEditorHandle } from '../parts/yaml-editor/yaml-editor';
import { type FileDraft, keptFileDraft, readFileDraft } from './file-draft';
import styles from './file-editor.module.css';
import { useKnowledge } from './knowledge';

type Source = ProcedureOutput<'workflow.source'>;
type Conflict = FileChange & { readonly kind: 'conflict' };

/** The editor of a workflow file: checked during writing, with a draft until it is saved. */
export function FileEditor({ row }: { row: WorkflowRow }) {
  const { projectId, file } = row;
  const { value, error } = useQuery('workflow.source', { projectId, file });
  if (value === null) return error === null ? <Reading /> : <ErrorNote error={error} />;
  return <Editor row={row} source={value} />;
}

/** The text in the editor. The draft is saved a moment after the last key, and when the page closes. */
function useText(place: string, source: Source) {
  const [kept, keep] = useDraft(place);
  const [draft, setDraft] = useState(() => readFileDraft(kept));
  const newest = useRef(draft);
  const flush = useCallback(() => {
    keep(newest.current === null ? '' : keptFileDraft(newest.current));
  }, [keep]);
  const [settled, settle] = useState(draft?.text ?? source.text);
  const text = draft?.text ?? source.text;
  useEffect(() => {
    const timer = setTimeout(() => {
      settle(text);
      flush();
    }, TYPING_SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text, flush]);
  useEffect(() => {
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);
  const set = (next: FileDraft | null) => {
    newest.current = next;
    setDraft(next);
    if (next === null) flush();
  };
  /** A text was written; later typing stays, based on the state `base`. */
  const saved = (written: string, base: string) => {
    const now = newest.current;
    set(now === null || now.text === written ? null : { text: now.text, base });
  };
  return { draft, text, settled, set, saved };
}

/** Goes to the line of a problem that was chosen elsewhere. */
function useJump(
  { projectId, file }: { readonly projectId: number; readonly file: string },
  handle: RefObject<YamlEditorHandle | null>,
): void {
  const jump = useReadable(jumps);
  useEffect(() => {
    if (!leadsTo(jump, { projectId, file }, 'text')) return;
    jumps.set(null);
    handle.current?.goTo(jump.problem.where?.line ?? 1, jump.problem.where?.column);
  }, [jump, projectId, file, handle]);
}

function Editor({ row, source }: { row: WorkflowRow; source: Source }) {
  const { projectId, file } = row;
  const { draft, text, settled, set, saved } = useText(`workflow/${projectId}/${file}/file`, source);
  const checked = useQuery('workflow.check', { projectId, file, text: settled }).value;
  const shown = useRef(checked);
  if (checked !== null) shown.current = checked;
  const problems = shown.current?.problems ?? row.problems;
  const [saving, setSaving] = useState(false);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const handle = useRef<YamlEditorHandle>(null);
  const write = (written: string) =>
    set(written === source.text ? null : { text: written, base: draft?.base ?? source.hash });
  const save = async (base: string) => {
    setSaving(true);
    const done = await attempt(workflowFile(projectId, file).saveFrom(base, text));
    setSaving(false);
    if (done === null) return;
    if (done.kind === 'conflict') return setConflict(done);
    say(done.merged ? 'Saved, merged with the changes made elsewhere' : 'Saved the workflow');
    setConflict(null);
    await refresh('workflow.source', 'workflow.get', 'workflow.list');
    saved(text, done.merged ? base : done.hash);
  };
  const discard = () => {
    setConflict(null);
    set(null);
  };
  const mend = async (edits: readonly WorkflowEdit[]) => {
    // The edits are based on the checked text.
    if (text !== settled) return;
    const done = await attempt(call('workflow.edited', { projectId, file, text, edits: [...edits] }));
    if (done !== null) write(done.text);
  };
  useJump({ projectId, file }, handle);
  const can = draft !== null && !saving && source.writable;
  useHandlers({
    'workflow.save': can ? () => void save(draft.base) : null,
    'workflow.discard': draft === null ? null : discard,
  });
  return (
    <section className={styles.file} aria-label="File">
      <header className={styles.bar}>
        <span className="quiet grow" role="status">
          {draft === null ? 'Saved' : 'Not saved'}
        </span>
        <ActButton action="workflow.discard" icon={Undo2} tone="ghost" disabled={draft === null}>
          Discard changes
        </ActButton>
        <ActButton action="workflow.save" icon={Save} tone="primary" disabled={!can}>
          Save
        </ActButton>
      </header>
      {!source.writable && <Note tone="waits">This file cannot be written. Your text is kept here.</Note>}
      {conflict !== null && (
        <Note
          tone="waits"
          live="alert"
          acts={
            <>
              <Button onClick={discard}>Use the file</Button>
              <Button tone="primary" onClick={() => void save(conflict.theirs.hash)}>
                Overwrite it
              </Button>
            </>
          }
        >
          The same part of the file was changed elsewhere. Your text is not written yet.
        </Note>
      )}
      <YamlEditor
        className={styles.editor ?? ''}
        label={`Text of ${file}`}
        text={text}
        problems={problems}
        knowledge={useKnowledge(projectId, checked)}
        handle={handle}
        onChange={write}
      />
      {problems.length > 0 && (
        <Problems
          problems={problems}
          path={null}
          onGo={({ where }) => handle.current?.goTo(where?.line ?? 1, where?.column)}
          onMend={source.writable ? (edits) => void mend(edits) : undefined}
        />
      )}
    </section>
  );
}
