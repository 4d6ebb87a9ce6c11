import { useHandlers, useRoute } from '@renderer/client/hooks';
import { setQuery } from '@renderer/client/route';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { copyAddress } from '@renderer/parts/controls/copy';
import { openInEditor } from '@renderer/parts/problems/error-note';
import { Problems } from '@renderer/parts/problems/problems';
import { DiffView } from '@renderer/ui/code/diff';
import { Tabs } from '@renderer/ui/controls/tabs';
import { Note } from '@renderer/ui/layout/note';
import { FilePlus2, Link, PanelRight, PencilLine, SquarePen, Undo2 } from 'lucide-react';
import { PROMPTS_VARIABLE } from '../contract/folders';
import type { PromptDetail, PromptRow } from '../contract/procedures';
import { override, removeOverride } from './overrides';
import { PromptEditor } from './prompt-editor';
import styles from './prompt-page.module.css';
import { PromptText } from './prompt-text';
import { OWN } from './rows';

interface PromptPageProps {
  readonly value: PromptDetail;
  /** Null: Muster's own text. */
  readonly projectId: number | null;
}

/** One prompt as it applies in a project: its source, its problems, and its text. */
export function PromptPage({ value, projectId }: PromptPageProps) {
  const { query } = useRoute();
  const { id, absolutePath, source } = value;
  const isOverride = source === 'override';
  const builtin = source === 'builtin' || source === 'none';
  const shown = isOverride && query.show === 'changes' ? 'changes' : 'text';
  const writes = isOverride && projectId !== null && query.show === 'edit';
  useHandlers({
    'prompt.override': projectId !== null && builtin ? () => void override({ projectId, id }) : null,
    'prompt.edit': isOverride ? () => openInEditor(absolutePath) : null,
    'prompt.write': isOverride && projectId !== null && !writes ? () => setQuery({ show: 'edit' }) : null,
    'prompt.remove': projectId !== null && isOverride ? () => void removeOverride({ projectId, id }) : null,
    'prompt.show': isOverride ? () => setQuery({ show: shown === 'text' ? 'changes' : 'text' }) : null,
    'prompt.copy': () => copyAddress('prompt', projectId ?? OWN, id),
  });
  return (
    <article className="pane prompt-page" aria-label={`Prompt ${value.title}`}>
      <header className="detail-head">
        <div className="detail-line">
          <h1 className="cut reads">{value.title}</h1>
          <span className="grow" />
          <ActIcon action="prompt.copy" icon={Link} label="Copy the address of the prompt" />
          <ActIcon action="frame.side" icon={PanelRight} label="Show or hide the schema" />
        </div>
        <p className={`reads quiet ${styles.promptPurpose}`}>{value.purpose}</p>
        <div className={styles.promptSource}>
          <Source row={value} />
          <span className="grow" />
          <Acts own={isOverride} canOverride={projectId !== null && builtin} />
        </div>
      </header>
      <section
        className={`scroll ${styles.promptBody}`}
        aria-label="Text of the prompt"
        data-focus
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keys; its content may not be focusable
        tabIndex={0}
      >
        {value.problems.length > 0 && (
          <>
            <Note tone="failed">
              {isOverride
                ? 'This text is not used, and Muster’s own text does not replace it: runs that need it cannot start until it is corrected or removed.'
                : 'No run that needs this text starts.'}
            </Note>
            <Problems problems={value.problems} path={isOverride ? absolutePath : null} />
          </>
        )}
        {writes && (
          <PromptEditor key={id} value={value} projectId={projectId} onClose={() => setQuery({ show: '' })} />
        )}
        {isOverride && !writes && (
          <Tabs
            label="Show"
            value={shown}
            tabs={[
              { id: 'text', label: 'Text' },
              { id: 'changes', label: 'Changes' },
            ]}
            onChange={(show) => setQuery({ show })}
          />
        )}
        {!writes && shown === 'text' && <PromptText value={value} />}
        {!writes && shown === 'changes' && (
          <DiffView path={value.file} oldText={value.builtinText} newText={value.text} />
        )}
      </section>
    </article>
  );
}

function Acts({ own, canOverride }: { own: boolean; canOverride: boolean }) {
  if (own) {
    return (
      <>
        <ActButton action="prompt.write" icon={PencilLine}>
          Edit here
        </ActButton>
        <ActButton action="prompt.edit" icon={SquarePen}>
          Open in the editor
        </ActButton>
        <ActButton action="prompt.remove" icon={Undo2}>
          Remove the override
        </ActButton>
      </>
    );
  }
  return (
    canOverride && (
      <ActButton action="prompt.override" icon={FilePlus2}>
        Override for this project
      </ActButton>
    )
  );
}

const NAMED_BY = { flag: 'the flag --prompts', variable: PROMPTS_VARIABLE } as const;

/** The source of the text. */
function Source({ row }: { row: PromptRow }) {
  if (row.source === 'builtin') return <span>Built in</span>;
  if (row.source === 'none') return <span>No text</span>;
  if (row.source !== 'override')
    return (
      <span className="cut">
        From <span className="mono">{row.file}</span>, set by {NAMED_BY[row.source]}; a project’s own text is
        not used
      </span>
    );
  return (
    <span className="cut">
      Overridden by <span className="mono">{row.file}</span>
    </span>
  );
}
