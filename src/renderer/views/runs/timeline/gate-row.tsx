import { Hand } from 'lucide-react';
import { GateInPlace, type GateInPlaceProps } from '../../../parts/gate/gate-in-place';
import { Chained } from '../../../parts/transcript/chain';
import { Glyph } from '../../../ui/controls/icon';

export function GateRow({ chained, ...props }: GateInPlaceProps & { readonly chained: boolean }) {
  if (!chained) return <GateInPlace {...props} />;
  return (
    <Chained mark={<Glyph of={Hand} size={11} />} tone={props.gate.status === 'open' ? 'waits' : 'grey'}>
      <GateInPlace {...props} />
    </Chained>
  );
}
