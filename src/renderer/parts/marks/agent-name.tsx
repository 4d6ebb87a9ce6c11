import { Bot } from 'lucide-react';
import { Glyph } from '../../ui/controls/icon';

/** An agent, by the name of its profile. */
export function Agent({ id }: { id: string }) {
  return (
    <span className="agent-name">
      <Glyph of={Bot} size={13} />
      <span className="cut">{id}</span>
    </span>
  );
}
