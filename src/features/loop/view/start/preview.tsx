import type { AppError } from '@contract/errors';
import { plural } from '@renderer/client/format';
import { refresh } from '@renderer/client/wire/query';
import { RowList } from '@renderer/parts/lists/row-list';
import { Marked } from '@renderer/parts/marks/marks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { Problems } from '@renderer/parts/problems/problems';
import { IconButton } from '@renderer/ui/controls/button';
import { RefreshCw } from 'lucide-react';
import type { LoopPreview } from '../../contract/procedures';
import { openStories } from '../../contract/state';
import loopsStyles from '../loops.module.css';
import { storyWords } from '../words';
import styles from './preview.module.css';

interface PreviewProps {
  readonly preview: LoopPreview | null;
  readonly error: AppError | null;
  readonly projectPath: string;
}

/** The plan as the loop would read it: its stories, branch and problems. */
export function Preview({ preview, error, projectPath }: PreviewProps) {
  return (
    <section className={styles.loopPreview} aria-label="The plan">
      <header className={loopsStyles.loopPartHead}>
        <h2>The plan</h2>
        <span className="faint note cut">{preview === null ? '' : standing(preview)}</span>
        <span className="grow" />
        <IconButton
          icon={RefreshCw}
          label="Read the plan again"
          onClick={() => void refresh('loop.preview', 'agent.list')}
        />
      </header>
      {error && <ErrorNote error={error} />}
      {preview && <Found preview={preview} projectPath={projectPath} />}
    </section>
  );
}

function Found({ preview, projectPath }: { preview: LoopPreview; projectPath: string }) {
  const { plan, problems, readFrom, file } = preview;
  // Text from a commit may differ from the file that an editor would open.
  const path = readFrom.kind === 'file' && plan.state !== 'none' ? `${projectPath}/${file}` : null;
  const stories =
    plan.state === 'read' ? [...plan.stories].sort((one, other) => one.priority - other.priority) : [];
  return (
    <>
      {problems.length > 0 && <Problems problems={problems} path={path} />}
      {stories.length > 0 && (
        <div className={styles.loopPreviewStories} style={{ height: Math.min(stories.length, 6) * 30 }}>
          <RowList
            label="Stories of the plan"
            rows={stories.map((story) => ({ key: story.id, height: 30, story }))}
            selected={null}
            onSelect={() => {}}
            draw={({ story }) => (
              <div className={`one-line ${styles.previewStory}`}>
                <Marked word={storyWords[story.passes ? 'passed' : 'open']} markOnly />
                <span className={`mono ${loopsStyles.storyId}`}>{story.id}</span>
                <span className="cut grow" title={story.title}>
                  {story.title}
                </span>
                <span className="faint note">p{story.priority}</span>
              </div>
            )}
          />
        </div>
      )}
    </>
  );
}

/** `3 stories, 2 open · as committed on main · creates ralph/x`. */
function standing({ plan, readFrom, branch, repository }: LoopPreview): string {
  const counts =
    plan.state === 'read'
      ? `${plural(plan.stories.length, 'story', 'stories')}, ${openStories(plan, []).length} open`
      : '';
  const from = readFrom.kind === 'branch' ? `as committed on ${readFrom.name}` : 'as it is on disk';
  const works =
    branch === null || repository === null
      ? ''
      : repository.branchExists
        ? `continues ${branch}`
        : `creates ${branch}`;
  return [counts, plan.state === 'none' ? '' : from, works].filter((part) => part !== '').join(' · ');
}
