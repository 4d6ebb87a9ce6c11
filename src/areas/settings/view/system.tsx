import { bytes, plural } from '@renderer/client/format';
import { useQuery, useReadable } from '@renderer/client/hooks';
import { runList, systemStatus } from '@renderer/client/lists/lists';
import { hashOf } from '@renderer/client/route';
import { call } from '@renderer/client/rpc';
import { attempt } from '@renderer/client/toasts';
import { openInEditor } from '@renderer/parts/problems/error-note';
import { Elapsed } from '@renderer/parts/text/ago';
import { Button } from '@renderer/ui/controls/button';
import { Facts, Section } from '@renderer/ui/layout/facts';
import { Note } from '@renderer/ui/layout/note';
import { useMemo } from 'react';

/** Less free space in a file, in bytes, is normal and not shown. */
const SHOWN_FREE = 1_000_000;

/** Where the data is, its size, and the state of the program's processes. */
export function System() {
  const status = useReadable(systemStatus);
  const info = useQuery('app.info', {}).value;
  const bin = useReadable(useMemo(() => runList({ binned: true }).view, []));
  const binned = bin.rows.reduce((sum, run) => sum + (run.bytes ?? 0), 0);
  return (
    <>
      {info?.standIn && (
        <Note tone="waits">This is not the official Electron but a stand-in for development and tests.</Note>
      )}
      <Section
        title="Data"
        acts={
          info && (
            <Button onClick={() => void attempt(call('app.revealInFolder', { path: info.dataDir }))}>
              Open the folder
            </Button>
          )
        }
      >
        <Facts
          facts={[
            info !== null && { name: 'Folder', value: <span className="path">{info.dataDir}</span> },
            status !== null && {
              name: 'Database',
              value: `${sizeWords(status.store)}, ${status.store.path}`,
            },
            // Before it could be read it is not called empty.
            bin.status === 'ready' && {
              name: 'Bin',
              value: (
                <a href={hashOf('runs', 'bin')}>
                  {plural(bin.rows.length, 'run')}
                  {bin.more ? ' and more' : ''}, {bytes(binned)}
                </a>
              ),
            },
          ]}
        />
      </Section>
      <Section title="Processes">{status && <Health status={status} />}</Section>
      <Section
        title="Program"
        acts={
          info?.noticesPath != null && (
            <Button onClick={() => openInEditor(info.noticesPath ?? '')}>Show third-party licences</Button>
          )
        }
      >
        <Facts
          facts={
            info === null
              ? []
              : [
                  { name: 'Muster', value: info.version },
                  { name: 'Electron', value: info.electron },
                  { name: 'Platform', value: info.platform },
                ]
          }
        />
      </Section>
    </>
  );
}

/** If a file is larger than its content, because runs were deleted, the text explains the rest. */
const sizeWords = (store: { readonly bytes: number; readonly freeBytes: number }): string =>
  store.freeBytes < SHOWN_FREE
    ? bytes(store.bytes)
    : `${bytes(store.bytes)}, of which ${bytes(store.freeBytes)} are free and reused first`;

function Health({
  status: { core, ptyHost, store },
}: {
  status: NonNullable<ReturnType<typeof systemStatus.get>>;
}) {
  const since = (state: string, at: number, detail: string | null) => (
    <>
      {state} for <Elapsed from={at} to={null} />
      {detail && <span className="quiet">, {detail}</span>}
    </>
  );
  return (
    <Facts
      facts={[
        { name: 'Core', value: since(core.state, core.since, core.detail) },
        core.pid !== null && { name: 'Process id', value: core.pid },
        { name: 'Restarts', value: core.restarts },
        {
          name: 'Terminals',
          value: ptyHost.state === 'none' ? 'off' : since(ptyHost.state, ptyHost.since, ptyHost.detail),
        },
        { name: 'Store', value: since(store.state, store.since, store.detail) },
      ]}
    />
  );
}
