import { Printed } from '@renderer/ui/code/code';
import { useMemo } from 'react';
import type { EvidenceProps } from './evidence-props';
import { indentJson } from './indent-json';

export function JsonText({ text, label }: EvidenceProps) {
  return <Printed text={useMemo(() => indentJson(text), [text])} label={label} />;
}
