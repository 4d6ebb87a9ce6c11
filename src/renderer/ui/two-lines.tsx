import type { ReactNode } from 'react';

interface TwoLinesProps {
  readonly mark: ReactNode;
  readonly title: ReactNode;
  readonly end?: ReactNode;
  readonly under?: ReactNode;
  readonly underEnd?: ReactNode;
}

/** A row of a list: a mark, a title, what stands at its end, and a second line that says more. */
export function TwoLines({ mark, title, end, under, underEnd }: TwoLinesProps) {
  return (
    <div className="two-lines">
      <span className="row-mark">{mark}</span>
      <span className="row-line">
        <span className="row-title cut">{title}</span>
        {end && <span className="row-end">{end}</span>}
      </span>
      <span className="row-line">
        <span className="row-under cut">{under}</span>
        {underEnd && <span className="row-end">{underEnd}</span>}
      </span>
    </div>
  );
}
