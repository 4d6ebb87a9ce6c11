/** A git remote's place: the host (with a port that the address names) and `owner/name`. */
interface RemotePlace {
  readonly host: string;
  readonly repository: string;
}

const PATH = /^\/*((?:[^/\s]+\/)+[^/\s]+?)(?:\.git)?\/*$/;
/** `git@host:owner/name.git`, as ssh takes it. */
const SCP = /^(?:[^@/\s]+@)?([A-Za-z0-9.-]+):(?!\/\/)([^\s]+)$/;
const ADDRESS = /^(?:https?|ssh|git):\/\/(?:[^@/\s]+@)?([A-Za-z0-9.-]+)(:\d+)?(\/[^\s]+)$/;

/** Null for a folder, and anything else without a host. A name or password in the address is dropped. */
export function remotePlace(url: string): RemotePlace | null {
  const text = url.trim();
  const address = ADDRESS.exec(text);
  if (address !== null) {
    const [, host = '', port = '', path = ''] = address;
    // The port of ssh says nothing about the address of the API.
    return placeOf(text.startsWith('http') ? `${host}${port}` : host, path);
  }
  const scp = SCP.exec(text);
  // One letter before the colon is a drive of Windows.
  if (scp === null || (scp[1] ?? '').length < 2) return null;
  return placeOf(scp[1] ?? '', scp[2] ?? '');
}

function placeOf(host: string, path: string): RemotePlace | null {
  const repository = PATH.exec(path)?.[1];
  return repository === undefined ? null : { host: host.toLowerCase(), repository };
}

/** `git remote -v` lists each remote twice; `origin` counts first, then the others as listed. */
export function remotesOf(listed: string): { readonly remote: string; readonly place: RemotePlace }[] {
  const found = listed.split('\n').flatMap((line) => {
    const [, remote = '', url = ''] = /^(\S+)\t(\S+) \(fetch\)/.exec(line) ?? [];
    const place = remotePlace(url);
    return place === null ? [] : [{ remote, place }];
  });
  return found.toSorted((one, other) => Number(other.remote === 'origin') - Number(one.remote === 'origin'));
}
