import { randomUUID } from 'node:crypto';
import { type Session, session, type WebContents } from 'electron';
import { REPL_ORIGIN } from './scheme';
import { WALLS } from './walls';

/**
 * A proxy on a port without a listener, for loopback too. It also stops what no request filter sees (QUIC).
 */
const BLACK_HOLE = 'socks5://127.0.0.1:1';

/** An in-memory session for one REPL, which shares no storage with others and reaches only its own files. */
export async function replSession(): Promise<Session> {
  const ses = session.fromPartition(WALLS.ownSession ? `repl-${randomUUID()}` : 'repl-shared', {
    cache: false,
  });
  ses.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  ses.setPermissionCheckHandler(() => false);
  ses.setDevicePermissionHandler(() => false);
  ses.setSpellCheckerEnabled(false);
  ses.on('will-download', (event) => event.preventDefault());
  if (WALLS.requests)
    ses.webRequest.onBeforeRequest(({ url }, answer) =>
      answer({ cancel: !url.startsWith(`${REPL_ORIGIN}/`) }),
    );
  if (WALLS.proxy)
    await ses.setProxy({
      mode: 'fixed_servers',
      proxyRules: BLACK_HOLE,
      proxyBypassRules: '<-loopback>',
    });
  return ses;
}

/** The page can neither navigate nor open others. */
export function hardenReplContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.on('will-navigate', (event) => event.preventDefault());
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setAudioMuted(true);
}
