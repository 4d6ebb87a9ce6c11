import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type WheelEvent,
} from 'react';
import { READER_SCROLLS_MS } from '../limits';

const AT_END_PX = 40;
/** Keys that scroll back. */
const BACK: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

const isAtEnd = (element: HTMLElement | null): boolean =>
  element !== null && element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX;

interface FollowedEnd {
  readonly scroller: RefObject<HTMLElement | null>;
  /** What grows in it. */
  readonly content: RefObject<HTMLDivElement | null>;
  /** The reader is elsewhere, and stays there. */
  readonly held: boolean;
  hold(value: boolean): void;
  /** For the element that scrolls. */
  readonly handlers: {
    onScroll(): void;
    onWheel(event: WheelEvent): void;
    onKeyDown(event: KeyboardEvent): void;
    onFocus(event: FocusEvent): void;
    onBlur(event: FocusEvent): void;
  };
}

/** A text is written in it. */
const isWritten = (element: EventTarget): boolean =>
  element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type === 'text');

/**
 * Keeps the end of something live in sight as it grows, until its reader scrolls back, and again once they are there.
 * Who writes in it stays where they write: what would go out of sight would take the focus, and the next keys, with it.
 */
export function useFollowedEnd(live: boolean): FollowedEnd {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState(false);
  /** As `held`, known at once. */
  const isHeld = useRef(false);
  const last = useRef({ top: 0, height: 0 });
  /** When the reader last asked to go back. */
  const handAt = useRef(Number.NEGATIVE_INFINITY);
  /** Goes to the end, as long as it is followed. */
  const end = useRef<(() => void) | null>(null);
  const hold = useCallback((value: boolean) => {
    isHeld.current = value;
    setHeld(value);
  }, []);
  useLayoutEffect(() => {
    const [element, grows] = [scroller.current, content.current];
    if (!live || held || !element || !grows) return;
    const toEnd = () => {
      if (isHeld.current || performance.now() - handAt.current < READER_SCROLLS_MS) return;
      element.scrollTop = element.scrollHeight;
      last.current = { top: element.scrollTop, height: element.scrollHeight };
    };
    end.current = toEnd;
    // Where the frame has been laid out: to ask for heights sooner would lay it out once more.
    const observer = new ResizeObserver(toEnd);
    observer.observe(grows);
    return () => {
      observer.disconnect();
      end.current = null;
    };
  }, [live, held]);
  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const [top, height] = [element.scrollTop, element.scrollHeight];
    // What moves back with another height was perhaps moved by it; after a wheel or a key it is the reader's doing.
    const byReader = height === last.current.height || performance.now() - handAt.current < READER_SCROLLS_MS;
    const active = document.activeElement;
    const writes = active !== null && element.contains(active) && isWritten(active);
    if (isAtEnd(element) && !writes) hold(false);
    else if (top < last.current.top - 1 && byReader) hold(true);
    last.current = { top, height };
  };
  const touched = () => {
    handAt.current = performance.now();
    // Nothing takes back what they are about to scroll; where they did not, what grew meanwhile is followed.
    setTimeout(() => end.current?.(), READER_SCROLLS_MS);
  };
  const handlers = {
    onScroll,
    onWheel: ({ deltaY }: WheelEvent) => deltaY < 0 && touched(),
    onKeyDown: ({ key }: KeyboardEvent) => BACK.has(key) && touched(),
    onFocus: ({ target }: FocusEvent) => isWritten(target) && hold(true),
    onBlur: ({ target }: FocusEvent) => isWritten(target) && isAtEnd(scroller.current) && hold(false),
  };
  return { scroller, content, held, hold, handlers };
}
