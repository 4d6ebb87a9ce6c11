import {
  type ChangeComments,
  type LineComment,
  promptOf,
  sameLine,
} from '@areas/changes/view/parts/comments';
import { profileName } from '@contract/run/profile-name';
import type { PromptState, RunState, SessionState } from '@contract/run/state';
import { fileDrop } from '@renderer/client/files/file-drop';
import { firstLine } from '@renderer/client/format';
import { useDraft, useHandlers, useOutgoing, useSending } from '@renderer/client/hooks';
import { call } from '@renderer/client/rpc';
import { putBack } from '@renderer/client/sending/outgoing';
import { attempt } from '@renderer/client/toasts';
import { ActIcon, sendCaps } from '@renderer/parts/controls/act';
import { Ago } from '@renderer/parts/text/ago';
import { Button, IconButton } from '@renderer/ui/controls/button';
import { TextArea } from '@renderer/ui/controls/field';
import { Glyph } from '@renderer/ui/controls/icon';
import { MessageSquare, Paperclip, SendHorizontal, X } from 'lucide-react';
import { useRef } from 'react';
import styles from './prompt-box.module.css';
import { whatHappens } from './prompt-outcome';
import { waitingPrompts } from './turns';

interface PromptBoxProps {
  readonly runId: number;
  readonly state: RunState;
  readonly session: SessionState;
  readonly comments: readonly LineComment[];
  readonly setComments: ChangeComments;
}

/** The operator's next prompt in a session, with its files and comments. */
export function PromptBox({ runId, state, session, comments, setComments }: PromptBoxProps) {
  const prompt = usePrompt(runId, session.id);
  const outgoing = useOutgoing();
  const area = useRef<HTMLTextAreaElement>(null);
  const happens = whatHappens(state, session);
  const ready = happens.can && (prompt.text.trim() !== '' || comments.length > 0);
  const text = promptOf(prompt.text, comments);
  const begin = useSending(`session/${runId}/${session.id}`, JSON.stringify([text, ...prompt.files]));
  // The field is free for the next prompt at once; a rejected one comes back.
  const send = async () => {
    if (!ready) return;
    const sending = begin();
    const { key } = sending;
    const input = { runId, sessionId: session.id, key, text, attachments: [...prompt.files] };
    const restore = prompt.take();
    setComments(() => []);
    const deliver = async () => {
      const taken = (await attempt(call('session.prompt', input))) !== null;
      if (taken) sending.answered();
      return taken;
    };
    await outgoing(deliver, () => {
      restore();
      setComments((now) => [...comments.filter((one) => !now.some((other) => sameLine(one, other))), ...now]);
      sending.unanswered();
    });
  };
  useHandlers({
    'session.write': () => area.current?.focus(),
    'session.attach': happens.can ? () => void pickFiles().then(prompt.attach) : null,
  });
  return (
    <section
      className={styles.promptBox}
      aria-label="Your next prompt"
      {...fileDrop({ attach: prompt.attach })}
    >
      <Queued runId={runId} prompts={waitingPrompts(state, session.id)} />
      <Comments comments={comments} setComments={setComments} />
      <Files files={prompt.files} onRemove={prompt.detach} />
      <div className={styles.promptLine}>
        <TextArea
          ref={area}
          rows={1}
          aria-label="Prompt"
          aria-describedby="prompt-happens"
          placeholder={`Prompt for ${profileName(state, session.profileId)}`}
          // Not disabled: it would lose the focus, and the text still being typed.
          readOnly={!happens.can}
          aria-disabled={!happens.can}
          value={prompt.text}
          onChange={(event) => prompt.setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            event.stopPropagation();
            void send();
          }}
        />
        <ActIcon action="session.attach" icon={Paperclip} label="Attach files" disabled={!happens.can} />
        <Button
          tone="primary"
          icon={SendHorizontal}
          caps={sendCaps}
          disabled={!ready}
          onClick={() => void send()}
        >
          Send
        </Button>
      </div>
      <p id="prompt-happens" className={`note ${happens.can ? 'faint' : 'waits-text'}`} role="status">
        {happens.text}
      </p>
    </section>
  );
}

function usePrompt(runId: number, sessionId: number) {
  const place = `session/${runId}/${sessionId}`;
  const [text, setText] = useDraft(`${place}/prompt`);
  const [listed, setListed] = useDraft(`${place}/files`);
  const files = listed.split('\n').filter((path) => path !== '');
  return {
    text,
    setText,
    files,
    attach: (more: readonly string[]) => setListed([...new Set([...files, ...more])].join('\n')),
    detach: (gone: string) => setListed(files.filter((path) => path !== gone).join('\n')),
    /** Clears the draft, and returns a function that restores it. */
    take: () => {
      setText('');
      setListed('');
      return () => {
        setText(putBack(text));
        setListed((now) =>
          [...new Set(`${listed}\n${now}`.split('\n'))].filter((path) => path !== '').join('\n'),
        );
      };
    },
  };
}

async function pickFiles(): Promise<readonly string[]> {
  return (await attempt(call('app.pickFiles', { title: 'Attach files' })))?.paths ?? [];
}

function Queued({ runId, prompts }: { runId: number; prompts: readonly PromptState[] }) {
  if (prompts.length === 0) return null;
  return (
    <ul className={styles.promptQueue} aria-label="Queued prompts">
      {prompts.map((prompt) => (
        <li key={prompt.id}>
          <span className="quiet">
            {prompt.status === 'queued' ? 'Queued' : 'Waiting for the provider limit'}
          </span>
          <span className="cut grow reads" title={prompt.text}>
            {firstLine(prompt.text)}
          </span>
          {prompt.attachments.length > 0 && (
            <span className="with-icon faint note">
              <Glyph of={Paperclip} size={12} /> {prompt.attachments.length}
            </span>
          )}
          <span className="faint note">
            <Ago at={prompt.at} />
          </span>
          <Button
            tone="ghost"
            onClick={() =>
              void attempt(call('session.withdrawPrompt', { runId, promptId: prompt.id }), 'Withdrawn')
            }
          >
            Withdraw
          </Button>
        </li>
      ))}
    </ul>
  );
}

type CommentsProps = Pick<PromptBoxProps, 'comments' | 'setComments'>;

function Comments({ comments, setComments }: CommentsProps) {
  if (comments.length === 0) return null;
  return (
    <ul className={styles.promptComments} aria-label="Comments that are sent with the prompt">
      {comments.map((one) => (
        <li key={`${one.path}:${one.line}${one.gone}`}>
          <Glyph of={MessageSquare} size={13} />
          <span className={`mono cut ${styles.promptPlace}`} title={`${one.path}:${one.line}`}>
            {one.path.split('/').at(-1)}:{one.line}
          </span>
          <span className="cut grow" title={one.comment}>
            {firstLine(one.comment)}
          </span>
          <IconButton
            icon={X}
            label={`Remove the comment on ${one.path}:${one.line}`}
            onClick={() => setComments((now) => now.filter((other) => !sameLine(other, one)))}
          />
        </li>
      ))}
    </ul>
  );
}

interface FilesProps {
  readonly files: readonly string[];
  readonly onRemove: (path: string) => void;
}

function Files({ files, onRemove }: FilesProps) {
  if (files.length === 0) return null;
  return (
    <ul className="chips" aria-label="Attached files">
      {files.map((path) => (
        <li key={path} className="chip" title={path}>
          <Glyph of={Paperclip} size={12} />
          {path.split(/[\\/]/).at(-1)}
          <button type="button" aria-label={`Remove ${path}`} onClick={() => onRemove(path)}>
            <Glyph of={X} size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}
