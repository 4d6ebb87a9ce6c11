import { call } from '@renderer/client/rpc';
import { useEffect, useMemo, useState } from 'react';
import { LOG_POLL_MS } from '../../contract/limits';
import type { LoopLog } from '../../contract/procedures';
import type { LoopAt } from '../place';
import { emptyLog, LogReader, type LogView } from './log-reader';

interface LogPlace extends LoopAt {
  readonly attemptId: number;
  readonly which: LoopLog;
}

export interface LogInHand {
  readonly view: LogView;
  readonly atEnd: boolean;
  readonly more: () => void;
  readonly begin: (at: 'start' | 'end') => void;
}

/** An attempt's log, read as far as the user scrolls; followed while `live`. */
export function useLog({ runId, activationId, attemptId, which }: LogPlace, live: boolean): LogInHand {
  const [view, show] = useState(emptyLog);
  const reader = useMemo(() => {
    const fetch = (from: number, bytes: number) =>
      call('loop.log', { runId, activationId, attemptId, which, from, bytes });
    return new LogReader(fetch, show);
  }, [runId, activationId, attemptId, which]);
  useEffect(() => {
    show(emptyLog);
    void reader.more();
    return () => reader.end();
  }, [reader]);
  useEffect(() => {
    if (!live) {
      // The last lines may have been written after the last read.
      if (reader.atEnd) void reader.more();
      return;
    }
    const timer = setInterval(() => {
      if (reader.atEnd || reader.view.status === 'failed') void reader.more();
    }, LOG_POLL_MS);
    return () => clearInterval(timer);
  }, [reader, live]);
  return {
    view,
    atEnd: reader.atEnd,
    more: () => void reader.more(),
    begin: (at) => void reader.begin(at),
  };
}
