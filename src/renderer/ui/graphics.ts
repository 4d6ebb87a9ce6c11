let found: boolean | undefined;

/**
 * Whether what WebGL draws is drawn by a graphics processor. Where Chromium imitates one, each frame of a terminal costs
 * the processors more than the page's own elements do, just when programs that flood want them. Asked once.
 */
export function hasGraphicsProcessor(): boolean {
  if (found !== undefined) return found;
  const context = document.createElement('canvas').getContext('webgl2', {
    failIfMajorPerformanceCaveat: true,
  });
  found = context !== null;
  // Only so many contexts may be there at the same time.
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return found;
}
