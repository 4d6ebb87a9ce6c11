import { asSentence, withinSentence } from '@contract/system/detail';
import type { SystemStatus, Unsteady } from '@contract/system/procedures';
import { useReadable } from '../../client/hooks';
import { systemStatus } from '../../client/lists/lists';
import { hashOf, navigate } from '../../client/route';
import { call } from '../../client/rpc';
import { clockTime } from '../../client/time';
import { attempt } from '../../client/toasts';
import { Elapsed } from '../../parts/text/ago';
import { Button } from '../../ui/controls/button';
import { Note } from '../../ui/layout/note';
import { CheckoutNotice } from './checkout-notice';
import styles from './core-banner.module.css';

const detailText = (detail: string | null): string => (detail ? ` ${asSentence(detail)}` : '');

/** Shown above everything while the core is unavailable, with the messages of the start. */
export function CoreBanner() {
  const status = useReadable(systemStatus);
  if (status === null) return null;
  const { core, ptyHost, store, notices } = status;
  return (
    <section className={styles.banners} aria-label="Notices" data-part="banners">
      {(core.state === 'restarting' || core.state === 'starting') && (
        <Note tone="waits" live="status">
          Core {core.state} (<Elapsed from={core.since} to={null} />
          ).{detailText(core.detail)} Your runs are safe on disk.
        </Note>
      )}
      {core.state === 'failed' && (
        <Note
          tone="failed"
          live="alert"
          acts={
            <Button onClick={() => void attempt(call('app.restartProcess', { process: 'core' }))}>
              Restart it
            </Button>
          }
        >
          The core does not start.{detailText(core.detail)} Your runs are safe on disk.
        </Note>
      )}
      {core.state !== 'failed' && <AgainAndAgain what="The core" unsteady={core.unsteady} />}
      {ptyHost.state !== 'failed' && (
        <AgainAndAgain what="The terminal process" unsteady={ptyHost.unsteady} />
      )}
      {store.state === 'failing' && (
        <Note tone="failed" live="alert">
          The store is failing.{detailText(store.detail)} Nothing new starts until it works again.
        </Note>
      )}
      {notices.map((notice) =>
        notice.checkout === undefined ? (
          <Note
            key={notice.id}
            tone={notice.level === 'error' ? 'failed' : notice.level === 'warning' ? 'waits' : 'plain'}
            acts={<NoticeActs notice={notice} />}
          >
            {notice.text}
          </Note>
        ) : (
          <CheckoutNotice key={notice.id} id={notice.checkout} text={notice.text} />
        ),
      )}
    </section>
  );
}

function NoticeActs({ notice: { id, act } }: { readonly notice: SystemStatus['notices'][number] }) {
  if (act === 'leaveSafeMode')
    return (
      <Button tone="primary" onClick={() => void attempt(call('app.leaveSafeMode', {}))}>
        Leave safe mode
      </Button>
    );
  return (
    <>
      {act === 'diagnostics' && (
        <Button onClick={() => navigate(hashOf('settings', 'backups'))}>Save diagnostics</Button>
      )}
      <Button onClick={() => void attempt(call('system.dismissNotice', { id }))}>Dismiss</Button>
    </>
  );
}

/** It runs, or is starting: that alone would suggest that all is well. */
function AgainAndAgain({ what, unsteady }: { what: string; unsteady: Unsteady | null }) {
  if (unsteady === null) return null;
  return (
    <Note tone="failed" live="alert">
      {what} ended {unsteady.times} times since {clockTime(unsteady.since)}, and restarted each time.
      {` The last time: ${withinSentence(unsteady.last)}.`}
    </Note>
  );
}
