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
import { READER_SCROLLS_MS } from '../../limits';

const AT_END_PX = 40;
/** Keys that scroll back. */
const BACK: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

const isAtEnd = (element: HTMLElement | null): boolean =>
  element !== null && element.scrollHeight - element.scrollTop - element.clientHeight < AT_END_PX;

interface FollowedEnd {
  readonly scroller: RefObject<HTMLElement | null>;
  /** The growing content. */
  readonly content: RefObject<HTMLDivElement | null>;
  /** The reader scrolled away; the position is kept. */
  readonly held: boolean;
  hold(value: boolean): void;
  /** Event handlers for the scrolling element. */
  readonly handlers: {
    onScroll(): void;
    onWheel(event: WheelEvent): void;
    onKeyDown(event: KeyboardEvent): void;
    onFocus(event: FocusEvent): void;
    onBlur(event: FocusEvent): void;
  };
}

/** Whether the operator types in it. */
const isWritten = (element: EventTarget): boolean =>
  element instanceof HTMLTextAreaElement || (element instanceof HTMLInputElement && element.type === 'text');

/**
 * Keeps the end of live content visible as it grows, until the reader scrolls back, and again once the reader
 * returns. While the operator types in it, it does not move: a field out of view would lose the focus and the
 * next keys.
 */
export function useFollowedEnd(live: boolean): FollowedEnd {
  const scroller = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState(false);
  /** Same as `held`, without waiting for a render. */
  const isHeld = useRef(false);
  const last = useRef({ top: 0, height: 0 });
  /** When the reader last scrolled back by hand. */
  const handAt = useRef(Number.NEGATIVE_INFINITY);
  /** Scrolls to the end, if it is followed. */
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
    // After the layout of the frame: reading heights earlier would cause another layout.
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
    // A move back with another height may be caused by that height; after a wheel event or key it is the
    // reader's.
    const byReader = height === last.current.height || performance.now() - handAt.current < READER_SCROLLS_MS;
    const active = document.activeElement;
    const writes = active !== null && element.contains(active) && isWritten(active);
    if (isAtEnd(element) && !writes) hold(false);
    else if (top < last.current.top - 1 && byReader) hold(true);
    last.current = { top, height };
  };
  const touched = () => {
    handAt.current = performance.now();
    // Nothing interferes with the reader's next scrolling; if none follows, the content is followed again.
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
