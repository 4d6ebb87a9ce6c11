import type { AppError } from '@contract/errors';
import { call } from '@renderer/client/rpc';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { IssueRow } from '../../contract/forge';

interface IssuesWanted {
  readonly projectId: number;
  readonly search: string;
  readonly state: 'open' | 'closed';
}

interface Issues {
  readonly status: 'loading' | 'ready';
  readonly rows: readonly IssueRow[];
  readonly more: boolean;
  readonly error: AppError | null;
}

const BEGUN: Issues = { status: 'loading', rows: [], more: false, error: null };
const LAST_PAGE = 20;

/** The issues that are wanted, page by page; null: none are. An answer to an earlier wish is dropped. */
export function useIssues(wanted: IssuesWanted | null) {
  const key = JSON.stringify(wanted);
  const [issues, setIssues] = useState(BEGUN);
  const asked = useRef({ key: '', page: 0, busy: false });
  const read = useCallback(async (of: IssuesWanted, page: number) => {
    const mine = { key: JSON.stringify(of), page, busy: true };
    asked.current = mine;
    const answer = await call('issue.list', { ...of, page });
    if (asked.current !== mine) return;
    asked.current = { ...mine, busy: false };
    if (answer.ok) {
      const { rows, more } = answer.value;
      setIssues((last) => ({
        status: 'ready',
        rows: page === 1 ? rows : withoutTwice([...last.rows, ...rows]),
        more: more && page < LAST_PAGE,
        error: null,
      }));
    } else setIssues((last) => ({ ...last, status: 'ready', more: false, error: answer.error }));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the wish is compared by value
  useEffect(() => {
    setIssues(BEGUN);
    if (wanted !== null) void read(wanted, 1);
  }, [key, read]);
  const { page, busy } = asked.current;
  return {
    issues,
    again: () => wanted !== null && void read(wanted, 1),
    readMore: () => wanted !== null && issues.more && !busy && void read(wanted, page + 1),
  };
}

/** Pages shift when an issue appears between two reads. */
const withoutTwice = (rows: readonly IssueRow[]): IssueRow[] => [
  ...new Map(rows.map((row) => [row.number, row])).values(),
];
