import { fail, ok } from '@contract/result';
import { ask } from '../../../api/core-service';
import { apiToken, apiTokenFile } from '../../../api/http/token';
import { API_CHECK_MS, API_SETTLES_MS } from '../../../limits/command-line';
import { numberFlag, wholeNumber } from '../../arguments/flag-values';
import { command } from '../../command';
import { EXIT } from '../../exit';
import type { Link } from '../../link/link';
import { columns } from '../../output/columns';

export const apiCommand = command({
  name: 'api',
  summary: 'Shows the address and token of the local HTTP API, and turns it on or off.',
  words: '',
  least: 0,
  most: 0,
  more: 'A client with the token can start agents on this machine. A new one is made when its file is deleted.',
  flags: {
    on: { help: 'turn it on, now and at each start' },
    off: { help: 'turn it off' },
    port: { value: 'N', help: 'the port to listen on; 0 for any free port' },
  },
  async run(context, { flags }) {
    const portFlag = numberFlag('port', flags.port, wholeNumber(0, 65_535));
    if (!portFlag.ok) return portFlag;
    const port = portFlag.value;
    if (flags.on && flags.off) return fail('input.invalid', '--on and --off cannot be combined');
    const link = await context.open({ mode: 'reading' });
    if (!link.ok) return link;
    const known = await ask(link.value, 'settings.get', {});
    if (!known.ok) return known;
    const before = known.value.httpApi;
    const stale = link.value.apiAddress();
    const httpApi = { enabled: flags.on || (before.enabled && !flags.off), port: port ?? before.port };
    if (httpApi.enabled !== before.enabled || httpApi.port !== before.port) {
      const saved = await ask(link.value, 'settings.set', { settings: { httpApi } });
      if (!saved.ok) return saved;
      await settled(link.value, { enabled: httpApi.enabled, stale });
    }
    const address = link.value.apiAddress();
    const token = apiToken(context.dataDir);
    const tokenFile = apiTokenFile(context.dataDir);
    context.out.document({ ...httpApi, address, token, tokenFile }, () =>
      columns([
        ['api', httpApi.enabled ? 'on' : 'off'],
        ['address', address ?? (httpApi.enabled ? NOT_OPEN[link.value.kind] : 'none')],
        ['token', token],
        ['kept in', tokenFile],
      ]),
    );
    return ok(EXIT.ok);
  },
});

const NOT_OPEN: Readonly<Record<Link['kind'], string>> = {
  hosted: 'none: no Muster is running that serves it',
  attached: 'none: the running Muster could not open it; `muster status` says why',
};

/**
 * The running core opens or closes it shortly after the setting. After a change of port the old address no
 * longer works.
 */
async function settled(
  link: Link,
  { enabled, stale }: { enabled: boolean; stale: string | null },
): Promise<void> {
  const isSo = (): boolean => {
    const address = link.apiAddress();
    return enabled ? address !== null && address !== stale : address === null;
  };
  if (link.kind === 'hosted') return;
  for (const until = Date.now() + API_SETTLES_MS; Date.now() < until && !isSo(); ) {
    await new Promise((resolve) => setTimeout(resolve, API_CHECK_MS));
  }
}
