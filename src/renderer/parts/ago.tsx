import { useClock } from '../client/hooks';
import { ago, elapsed, fullTime, until } from '../client/time';
import { usePast } from './shown-time';

/** When something was, as one says it; the full time on hover, and not written before: lists show this a hundred times. */
export function Ago({ at }: { at: number }) {
  const past = usePast();
  const text = useClock((now) => ago(at, past ?? now));
  return (
    <time
      dateTime={new Date(at).toISOString()}
      onPointerEnter={(event) => {
        event.currentTarget.title = fullTime(at);
      }}
    >
      {text}
    </time>
  );
}

/** How long something took, or has been going on: then it ticks. */
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
