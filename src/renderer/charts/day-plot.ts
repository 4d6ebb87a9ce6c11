import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { DaySeries } from './series';

interface DayPlotOptions {
  readonly host: HTMLElement;
  readonly series: DaySeries;
  readonly format: (value: number) => string;
  /** The day under the pointer; null if there is none. */
  readonly pointed: (index: number | null) => void;
}

/** Space before and after, in days, so that the first and last bars are drawn in full. */
const ROOM = 0.5;
const HEIGHT = 132;
const AXIS_WIDTH = 64;
const BAR = { share: 0.7, most: 28 };

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
/** In seconds since 1970; a mark between two days gets no label. */
const dayOf = (time: number): string => (isMidnight(time) ? DAY.format(time * 1000) : '');

function isMidnight(time: number): boolean {
  const at = new Date(time * 1000);
  return at.getHours() === 0 && at.getMinutes() === 0;
}

/**
 * A canvas resolves neither tokens nor `light-dark()`: it gets the colour that an element has with the token.
 */
function resolved(host: HTMLElement, token: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${token})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** One bar per day. Colours are read from the window's tokens at each drawing. */
export class DayPlot {
  readonly #plot: uPlot;
  readonly #seen: ResizeObserver;
  readonly #themed: MutationObserver;
  readonly #dark = matchMedia('(prefers-color-scheme: dark)');
  readonly #draw = (): void => this.#plot.redraw();

  constructor({ host, series: { times, values }, format, pointed }: DayPlotOptions) {
    const colour = (token: string) => () => resolved(host, token);
    const axis: uPlot.Axis = {
      stroke: colour('--text-2'),
      font: `11px ${getComputedStyle(host).fontFamily}`,
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { show: false },
    };
    // Not from what it is given: with each redraw that is the range that was shown before.
    const within: [number, number] = [(times[0] ?? 0) - ROOM * 86_400, (times.at(-1) ?? 0) + ROOM * 86_400];
    const bars = uPlot.paths.bars?.({ size: [BAR.share, BAR.most] });
    this.#plot = new uPlot(
      {
        width: Math.max(host.clientWidth, AXIS_WIDTH * 2),
        height: HEIGHT,
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
        scales: {
          x: { range: () => within },
          y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] },
        },
        axes: [
          { ...axis, grid: { show: false }, space: 72, values: (_, splits) => splits.map(dayOf) },
          { ...axis, size: AXIS_WIDTH, space: 32, values: (_, splits) => splits.map(format) },
        ],
        series: [
          {},
          {
            ...(bars !== undefined && { paths: bars }),
            fill: colour('--accent'),
            stroke: colour('--accent'),
            width: 0,
            points: { show: false },
          },
        ],
        hooks: { setCursor: [({ cursor }) => pointed(cursor.idx ?? null)] },
      },
      [times, values],
      host,
    );
    this.#seen = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width > 0) this.#plot.setSize({ width, height: HEIGHT });
    });
    this.#seen.observe(host);
    this.#themed = new MutationObserver(this.#draw);
    this.#themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    this.#dark.addEventListener('change', this.#draw);
  }

  end(): void {
    this.#seen.disconnect();
    this.#themed.disconnect();
    this.#dark.removeEventListener('change', this.#draw);
    this.#plot.destroy();
  }
}
