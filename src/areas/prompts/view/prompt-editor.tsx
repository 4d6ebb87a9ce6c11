import { useDraft, useQuery } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { refresh } from '@renderer/client/wire/query';
import { sendCaps } from '@renderer/parts/controls/act';
import { useDebounced } from '@renderer/parts/controls/debounced-value';
import { Problems } from '@renderer/parts/problems/problems';
import { Printed } from '@renderer/ui/code/code';
import { Button } from '@renderer/ui/controls/button';
import { TextArea } from '@renderer/ui/controls/field';
import { Fold } from '@renderer/ui/layout/fold';
import { Note } from '@renderer/ui/layout/note';
import { Save } from 'lucide-react';
import { useState } from 'react';
import type { PromptDetail } from '../contract/procedures';
import styles from './prompt-editor.module.css';

interface PromptEditorProps {
  readonly value: PromptDetail;
  readonly projectId: number;
  readonly onClose: () => void;
}

/** A draft: the text, and the hash of the text on which it is based. */
interface Draft {
  readonly text: string;
  readonly hash: string;
}

function readDraft(kept: string, blank: Draft): Draft {
  try {
    const { text, hash } = JSON.parse(kept);
    return typeof text === 'string' && typeof hash === 'string' ? { text, hash } : blank;
  } catch {
    return blank;
  }
}

/** Edits the project's text in place: problems are shown during writing, and a draft is saved. */
export function PromptEditor({ value, projectId, onClose }: PromptEditorProps) {
  const { id } = value;
  const [kept, keep] = useDraft(`prompt/${projectId}/${id}`);
  const draft = readDraft(kept, { text: value.text, hash: value.hash });
  const [saving, setSaving] = useState(false);
  const { value: judged } = useQuery('prompt.judge', { id, text: useDebounced(draft.text) });
  const problems = judged?.problems ?? [];
  const unchanged = draft.text === value.text;
  const moved = draft.hash !== value.hash;
  const close = () => {
    keep('');
    onClose();
  };
  const save = async () => {
    setSaving(true);
    const { text, hash } = draft;
    const done = await attempt(call('prompt.save', { projectId, id, text, hash }), 'Saved the text');
    setSaving(false);
    await refresh('prompt.check', 'prompt.get');
    if (done !== null) close();
  };
  const refused = saving || unchanged || moved || problems.length > 0;
  return (
    <form
      className={styles.promptEditor}
      aria-label="Edit the text"
      onSubmit={(event) => {
        event.preventDefault();
        if (!refused) void save();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !refused) void save();
      }}
    >
      <TextArea
        aria-label="Text of the project"
        className="mono"
        rows={16}
        value={draft.text}
        onChange={(event) => keep(JSON.stringify({ text: event.target.value, hash: draft.hash }))}
      />
      {moved && (
        <Note
          tone="waits"
          acts={
            <Button onClick={() => keep(JSON.stringify({ text: draft.text, hash: value.hash }))}>
              Keep my text
            </Button>
          }
        >
          The file has changed since you started editing. Keep your text to overwrite it, or discard your
          text.
        </Note>
      )}
      {moved && (
        <Fold open head={<span>The text in the file now</span>}>
          <Printed label="The text in the file now" text={value.text} />
        </Fold>
      )}
      {problems.length > 0 && <Problems problems={problems} path={null} />}
      {judged?.preview != null && (
        <Fold head={<span>Preview with sample values</span>}>
          <Printed label="Preview with sample values" text={judged.preview} />
        </Fold>
      )}
      <footer className={styles.promptEditorFoot}>
        <Button type="submit" icon={Save} tone="primary" caps={sendCaps} disabled={refused}>
          Save
        </Button>
        <Button onClick={close}>Discard</Button>
      </footer>
    </form>
  );
}
