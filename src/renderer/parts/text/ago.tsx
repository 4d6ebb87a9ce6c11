import { isTime } from '@contract/bounds';
import { resumeWords, until } from '@contract/time-words';
import { usePast } from '@renderer/parts/text/shown-time';
import { useClock } from '../../client/hooks';
import { ago, elapsed, fullTime } from '../../client/time';

/** A time relative to now; the full time on hover, formatted only then: lists show this a hundred times. */
export function Ago({ at }: { at: number }) {
  const past = usePast();
  const text = useClock((now) => ago(at, past ?? now));
  return (
    <time
      dateTime={isTime(at) ? new Date(at).toISOString() : undefined}
      onPointerEnter={(event) => {
        event.currentTarget.title = fullTime(at);
      }}
    >
      {text}
    </time>
  );
}

/** A duration; it ticks while `to` is missing. */
export function Elapsed({ from, to }: { from: number; to: number | null }) {
  const past = usePast();
  const text = useClock((now) => elapsed((to ?? past ?? now) - from));
  return <time title={`${fullTime(from)}${to === null ? '' : ` to ${fullTime(to)}`}`}>{text}</time>;
}

export function Until({ at }: { at: number }) {
  const past = usePast();
  const text = useClock((now) => until(at, past ?? now));
  return <time title={fullTime(at)}>{text}</time>;
}

/** The countdown of what goes on by itself. */
export function ResumesIn({ at }: { at: number }) {
  const past = usePast();
  const text = useClock((now) => resumeWords(at, past ?? now));
  return <time title={fullTime(at)}>{text}</time>;
}
