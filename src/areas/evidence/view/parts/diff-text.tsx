import { ReviewDesk } from '@areas/changes/view/parts/desk/desk';
import { Printed } from '@renderer/ui/code/code';
import { inPlainSight } from '@renderer/ui/invisible-characters';
import { Note } from '@renderer/ui/layout/note';
import { useMemo } from 'react';
import type { EvidenceProps } from './evidence-props';
import { parseDiff } from './parse-diff';

/** A diff that was passed as a text. */
export function DiffText({ text, label, review = null }: EvidenceProps) {
  const files = useMemo(() => parseDiff(text), [text]);
  if (text.trim() === '') return <p className="quiet">Nothing was changed.</p>;
  if (files === null) return <Printed text={text} label={label} />;
  const mark = /^(?:#.*\n)+/.exec(text)?.[0];
  return (
    <>
      {mark !== undefined && <Note tone="waits">{inPlainSight(mark.replace(/^# ?/gm, '').trim())}</Note>}
      <ReviewDesk files={files} folder={null} review={review} keys={review === null ? 'focus' : 'page'} />
    </>
  );
}
