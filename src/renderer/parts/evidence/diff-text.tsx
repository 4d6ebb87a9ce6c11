import { useMemo } from 'react';
import { Printed } from '../../ui/code/code';
import { DiffFiles } from '../diff/diff-files';
import type { EvidenceProps } from './evidence-props';
import { parseDiff } from './parse-diff';

/** A diff that was passed as a text. */
export function DiffText({ text, label, review = null }: EvidenceProps) {
  const files = useMemo(() => parseDiff(text), [text]);
  if (text.trim() === '') return <p className="quiet">Nothing was changed.</p>;
  return files === null ? (
    <Printed text={text} label={label} />
  ) : (
    <DiffFiles files={files} folder={null} review={review} />
  );
}
