let found: boolean | undefined;

/**
 * Whether WebGL uses a graphics processor. If Chromium emulates it, each frame of a terminal costs more than
 * the page's own elements, just when flooding programs need the processor. Tested once.
 */
export function hasGraphicsProcessor(): boolean {
  if (found !== undefined) return found;
  const context = document.createElement('canvas').getContext('webgl2', {
    failIfMajorPerformanceCaveat: true,
  });
  found = context !== null;
  // The number of simultaneous contexts is limited.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return found;
}
