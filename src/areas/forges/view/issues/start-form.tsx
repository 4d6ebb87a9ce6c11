import { onFormKey } from '@areas/gates/view/parts/answer/form-key';
import { useHandlers } from '@renderer/client/hooks';
import { hashOf, navigate } from '@renderer/client/route';
import { sendCaps } from '@renderer/parts/controls/act';
import { AgentSelect } from '@renderer/parts/controls/agent-select';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Button } from '@renderer/ui/controls/button';
import { Field, TextArea, TextInput } from '@renderer/ui/controls/field';
import { Note } from '@renderer/ui/layout/note';
import { Play } from 'lucide-react';
import { useRef } from 'react';
import styles from './issues.module.css';
import { MOST_NOTE, type ShownIssue, type Wish } from './use-wish';

interface StartFormProps {
  readonly issue: ShownIssue;
  readonly wish: Wish;
}

/** Who works on the issue, with which words of the operator before it, and the start. */
export function StartForm({ issue, wish }: StartFormProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useHandlers({ 'issue.begin': () => field.current?.focus() });
  const keys = (event: React.KeyboardEvent<HTMLElement>) =>
    onFormKey(
      event,
      () => void wish.start(),
      () => document.querySelector<HTMLElement>('[data-part="column-detail"] [data-focus]')?.focus(),
    );
  return (
    <section aria-label="Start work" className={styles.start}>
      {wish.agents?.length === 0 && <NoAgent />}
      {wish.noAgents && <ErrorNote error={wish.noAgents} />}
      <AgentSelect agents={wish.agents ?? []} agent={wish.agent} onAgent={wish.setAgent} />
      <Field
        label="Note"
        hint="Your own words for the agent. They come before the text of the issue."
        error={wish.note.length > MOST_NOTE ? 'it is too long' : null}
      >
        {(ids) => (
          <TextArea
            {...ids}
            ref={field}
            rows={2}
            value={wish.note}
            onChange={(event) => wish.setNote(event.target.value)}
            onKeyDown={keys}
          />
        )}
      </Field>
      <Field
        label="Branch"
        hint="A pull request of the result is opened from it."
        error={wish.isBranch ? null : 'this is not the name of a branch'}
      >
        {(ids) => (
          <TextInput
            {...ids}
            className="mono"
            placeholder={issue.branch}
            value={wish.branch}
            onChange={(event) => wish.setBranch(event.target.value)}
            onKeyDown={keys}
          />
        )}
      </Field>
      {wish.error && <ErrorNote error={wish.error} live />}
      <Button
        tone="primary"
        icon={Play}
        caps={sendCaps}
        disabled={!wish.can}
        onClick={() => void wish.start()}
      >
        {wish.starting ? 'Starting' : 'Start work'}
      </Button>
    </section>
  );
}

const NoAgent = () => (
  <Note tone="waits" acts={<Button onClick={() => navigate(hashOf('agents'))}>Set up an agent</Button>}>
    No agent can start here yet.
  </Note>
);
