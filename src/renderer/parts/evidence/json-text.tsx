import { useMemo } from 'react';
import { Printed } from '../../ui/code/code';
import type { EvidenceProps } from './evidence-props';
import { indentJson } from './indent-json';

export function JsonText({ text, label }: EvidenceProps) {
  return <Printed text={useMemo(() => indentJson(text), [text])} label={label} />;
}
