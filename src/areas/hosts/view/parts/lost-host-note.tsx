import { Ago } from '@renderer/parts/text/ago';
import { Note } from '@renderer/ui/layout/note';
import type { LostHost } from '../../contract/lost-host';

/** Where work on a host is shown that cannot be reached: it has neither failed nor been interrupted. */
export function LostHostNote({ lost }: { readonly lost: LostHost | null }) {
  if (lost === null) return null;
  return (
    <Note tone="waits">
      Connection to {lost.host} lost <Ago at={lost.since} />; work continues there
    </Note>
  );
}
