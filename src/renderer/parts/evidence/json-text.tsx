import { useMemo } from 'react';
import { Printed } from '../../ui/code';
import type { EvidenceProps } from './evidence-props';

export function JsonText({ text, label }: EvidenceProps) {
  return <Printed text={useMemo(() => indented(text), [text])} label={label} />;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
