import { useHandlers, useMoment, useReadable } from '@renderer/client/hooks';
import { lookAt, momentNow } from '@renderer/client/runs/moment';
import type { RunHistory } from '@renderer/client/runs/run-history';
import { runPast } from '@renderer/client/runs/runs';
import { fullTime } from '@renderer/client/time';
import { LONGEST_PLAYED_PAUSE_MS } from '@renderer/limits';
import { ActButton, ActIcon } from '@renderer/parts/controls/act';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { ChevronFirst, ChevronLast, Pause, Play, StepBack, StepForward } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { hasLongPauses, played, SPEEDS } from './playing';
import styles from './scrubber.module.css';
import { nextMark, share, ticksOf } from './ticks';

interface ScrubberProps {
  readonly runId: number;
  /** The newest event of the run. */
  readonly last: number;
}

/** Moves through the past of a run: shown while a past moment is chosen. */
export function Scrubber({ runId, last }: ScrubberProps) {
  const moment = useMoment();
  useHandlers({ 'replay.open': moment === null ? () => lookAt(last) : null });
  return moment === null ? null : <Line runId={runId} last={last} moment={Math.min(moment, last)} />;
}

function Line({ runId, last, moment }: ScrubberProps & { readonly moment: number }) {
  const history = useMemo(() => runPast(runId), [runId]);
  useReadable(history.changes);
  const [speed, setSpeed] = useState<number>(SPEEDS[0]);
  const [playing, setPlaying] = usePlaying(history, speed);
  const go = (seq: number | null) => {
    setPlaying(false);
    if (seq !== null) lookAt(Math.min(Math.max(seq, 1), last));
  };
  useHandlers({
    'replay.now': () => {
      setPlaying(false);
      lookAt(null);
    },
    'replay.play': () => setPlaying(!playing),
    'replay.next': moment < last ? () => go(moment + 1) : null,
    'replay.previous': moment > 1 ? () => go(moment - 1) : null,
    'replay.nextMark': () => go(nextMark(history.marks, moment, 1)),
    'replay.previousMark': () => go(nextMark(history.marks, moment, -1)),
    'replay.first': () => go(1),
    'replay.last': () => go(last),
  });
  const at = history.times[moment - 1];
  return (
    <section className={styles.scrubber} aria-label="Replay" data-part="scrubber">
      <p className={styles.said} role="status">
        <strong>You see the past.</strong>{' '}
        <span className="quiet">
          {at === undefined ? 'Reading the events' : fullTime(at)}, event {moment} of {last}. You cannot
          change the run until you return.
        </span>
      </p>
      <div className={styles.line}>
        <ActIcon action="replay.first" icon={ChevronFirst} label="Go to the beginning" />
        <ActIcon action="replay.previous" icon={StepBack} label="Back one event" />
        <ActIcon
          action="replay.play"
          icon={playing ? Pause : Play}
          label={playing ? 'Pause' : 'Play'}
          active={playing}
        />
        <ActIcon action="replay.next" icon={StepForward} label="Forward one event" />
        <ActIcon action="replay.last" icon={ChevronLast} label="Go to the newest event" />
        <Slider history={history} last={last} moment={moment} onGo={go} />
        <label className={styles.speed}>
          <span className="faint note">Speed</span>
          <select value={speed} onChange={(event) => setSpeed(Number(event.target.value))}>
            {SPEEDS.map((one) => (
              <option key={one} value={one}>
                {one}x
              </option>
            ))}
          </select>
        </label>
        <ActButton action="replay.now" tone="primary">
          Return to now
        </ActButton>
      </div>
      {playing && hasLongPauses(history.times) && (
        <p className="faint note">
          Pauses of more than {LONGEST_PLAYED_PAUSE_MS / 1000} s are shortened to that.
        </p>
      )}
      {history.error && <ErrorNote error={history.error} />}
    </section>
  );
}

/** Advances with each frame, at a multiple of the history's speed. */
function usePlaying(history: RunHistory, speed: number) {
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return;
    let place = { seq: momentNow() ?? 1, spent: 0 };
    let before = performance.now();
    let frame = requestAnimationFrame(function move(now) {
      const next = played(history.times, place, Math.max(0, now - before) * speed);
      before = now;
      if (next.seq !== place.seq) lookAt(next.seq);
      place = next;
      if (next.seq >= history.times.length && history.isWhole) setPlaying(false);
      else frame = requestAnimationFrame(move);
    });
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, history]);
  return [playing, setPlaying] as const;
}

interface SliderProps {
  readonly history: RunHistory;
  readonly last: number;
  readonly moment: number;
  readonly onGo: (seq: number) => void;
}

const WORDS = { gate: 'Question', failure: 'Failure', retry: 'Retry', restart: 'Restart', end: 'End' };

function Slider({ history, last, moment, onGo }: SliderProps) {
  const track = useRef<HTMLDivElement>(null);
  const { marks, seq: read } = history;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list of marks grows in place
  const ticks = useMemo(() => ticksOf(marks, last), [marks, last, read]);
  const seqAt = (x: number): number => {
    const box = track.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return moment;
    return 1 + Math.round(Math.min(Math.max((x - box.left) / box.width, 0), 1) * (last - 1));
  };
  const here = marks.find((mark) => mark.seq === moment);
  const at = history.times[moment - 1];
  const said = [`Event ${moment} of ${last}`, at === undefined ? null : fullTime(at), here?.title];
  return (
    <div
      ref={track}
      className={styles.track}
      role="slider"
      tabIndex={0}
      aria-label="Moment of the run"
      aria-valuemin={1}
      aria-valuemax={last}
      aria-valuenow={moment}
      aria-valuetext={said.filter(Boolean).join(', ')}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        onGo(seqAt(event.clientX));
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) onGo(seqAt(event.clientX));
      }}
    >
      <span className={styles.passed} style={{ inlineSize: `${share(moment, last) * 100}%` }} />
      {ticks.map((tick) => (
        <span
          key={tick.seq}
          className={styles.tick}
          data-kind={tick.kind}
          title={`${WORDS[tick.kind]}, event ${tick.seq}. ${tick.title}`}
          style={{ insetInlineStart: `${tick.percent}%` }}
        />
      ))}
      <span className={styles.thumb} style={{ insetInlineStart: `${share(moment, last) * 100}%` }} />
    </div>
  );
}
