import { useEffect, useRef, useState } from 'react';
import { useReadable } from '../../client/hooks';
import { gateKey } from '../../client/lists/gate-key';
import { openGates } from '../../client/lists/lists';

/** Announces to screen readers that a gate has opened. */
export function Announcer() {
  const { value } = useReadable(openGates);
  const known = useRef<ReadonlySet<string> | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    if (value === null) return;
    const fresh = known.current === null ? [] : value.filter((row) => !known.current?.has(gateKey(row)));
    known.current = new Set(value.map(gateKey));
    const last = fresh.at(-1);
    if (last) setText(`${last.title}, in ${last.runName}, waits for you`);
  }, [value]);
  return (
    <div className="hidden-text" role="status" aria-live="polite">
      {text}
    </div>
  );
}
