import type { AppError } from '@contract/errors';
import { hashOf, navigate } from '../../client/route';
import { call } from '../../client/rpc';
import { attempt } from '../../client/toasts';
import { Button } from '../../ui/controls/button';
import { Note, type NoteTone } from '../../ui/layout/note';
import { sentence } from '../../ui/sentence';
import { CommandText } from '../text/command-text';

interface Mend {
  readonly verb: string;
  readonly run: () => void;
}

const goTo = (verb: string, ...path: string[]): Mend => ({ verb, run: () => navigate(hashOf(...path)) });

/** Error codes that are no failures. */
const TONES: Partial<Record<AppError['code'], NoteTone>> = {
  cancelled: 'plain',
  'agent.limit': 'plain',
  'agent.quota': 'waits',
  'agent.overloaded': 'waits',
  'agent.key_refused': 'waits',
  'agent.auth_required': 'waits',
};

const MENDS: Partial<Record<AppError['code'], Mend>> = {
  'agent.not_installed': goTo('Open Agents', 'agents'),
  'agent.start_failed': goTo('Open Agents', 'agents'),
  'agent.auth_required': goTo('Open Agents', 'agents'),
  'agent.key_refused': goTo('Open secrets', 'agents', 'secrets'),
  'agent.unreachable': goTo('Open Agents', 'agents'),
  'validation.profile_unknown': goTo('Open Agents', 'agents'),
  'validation.agent_missing': goTo('Open Agents', 'agents'),
  'forge.login': goTo('Open secrets', 'agents', 'secrets'),
  'secret.missing': goTo('Open secrets', 'agents', 'secrets'),
  'store.disk_full': goTo('Open the bin', 'runs', 'bin'),
  'store.failed': goTo('See the store', 'settings', 'system'),
  'store.locked': goTo('See the store', 'settings', 'system'),
};

export const openInEditor = (path: string, line?: number): void =>
  void attempt(call('app.openInEditor', line === undefined ? { path } : { path, line }));

/** The action that fixes an error, if the window has one. */
function mendOf(error: AppError): Mend | null {
  const file = error.where?.file;
  if (file?.startsWith('/') || /^[A-Za-z]:\\/.test(file ?? '')) {
    return { verb: 'Open in the editor', run: () => openInEditor(file ?? '', error.where?.line) };
  }
  return MENDS[error.code] ?? null;
}

/** Where the cause is: `plan.yaml:12, steps[1].config`. */
function placeOf(error: AppError): string {
  const { file, line, column, path } = error.where ?? {};
  const spot = [file, line, line === undefined ? undefined : column]
    .filter((part) => part !== undefined)
    .join(':');
  return [spot, path].filter(Boolean).join(', ');
}

/** What failed, where, how to fix it, and the button that fixes it. */
export function ErrorNote({ error, live }: { error: AppError; live?: boolean }) {
  const mend = mendOf(error);
  const place = placeOf(error);
  return (
    <Note
      tone={TONES[error.code] ?? 'failed'}
      live={live ? 'alert' : undefined}
      acts={mend && <Button onClick={mend.run}>{mend.verb}</Button>}
    >
      <p>{sentence(error.message)}</p>
      {place && <p className="mono faint">{place}</p>}
      {error.mend && (
        <p className="quiet">
          <CommandText text={error.mend} />
        </p>
      )}
      <p className="hidden-text">{error.code}</p>
    </Note>
  );
}
