import type { ITheme } from '@xterm/xterm';

const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
const bright = (name: string): keyof ITheme =>
  `bright${name[0]?.toUpperCase()}${name.slice(1)}` as keyof ITheme;

/** The current colours of the window's tokens, light or dark. */
export function terminalTheme(within: HTMLElement): ITheme {
  const probe = document.createElement('span');
  probe.hidden = true;
  within.append(probe);
  const colour = (token: string): string => {
    probe.style.color = `var(${token})`;
    return asRgb(getComputedStyle(probe).color);
  };
  const theme: ITheme = {
    background: colour('--terminal-ground'),
    foreground: colour('--text'),
    cursor: colour('--accent'),
    cursorAccent: colour('--terminal-ground'),
    selectionBackground: colour('--terminal-selection'),
    overviewRulerBorder: colour('--line'),
    scrollbarSliderBackground: colour('--terminal-slider'),
    scrollbarSliderHoverBackground: colour('--line-strong'),
    scrollbarSliderActiveBackground: colour('--line-strong'),
  };
  for (const name of NAMES) {
    theme[name] = colour(`--ansi-${name}`) as never;
    theme[bright(name)] = colour(`--ansi-bright-${name}`) as never;
  }
  probe.remove();
  return theme;
}

/** The terminal cannot parse oklch; a canvas converts any colour to a format it can. */
function asRgb(colour: string): string {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!context) return '#888888';
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
  return `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
