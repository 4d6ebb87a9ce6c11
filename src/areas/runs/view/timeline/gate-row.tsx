import { GateInPlace, type GateInPlaceProps } from '@areas/gates/view/parts/gate-in-place';
import { Chained } from '@areas/sessions/view/parts/chain';
import { Glyph } from '@renderer/ui/controls/icon';
import { Hand } from 'lucide-react';

export function GateRow({ chained, ...props }: GateInPlaceProps & { readonly chained: boolean }) {
  if (!chained) return <GateInPlace {...props} />;
  return (
    <Chained mark={<Glyph of={Hand} size={11} />} tone={props.gate.status === 'open' ? 'waits' : 'grey'}>
      <GateInPlace {...props} />
    </Chained>
  );
}
