/** Walls that lie one behind the other. Tests take some away in the built file, to see that the others hold. */
export const WALLS = {
  policy: true,
  requests: true,
  proxy: true,
  seal: true,
  ownSession: true,
};
