/** Successive isolation layers. Tests remove some in the built file, to verify that the others hold. */
export const WALLS = {
  policy: true,
  requests: true,
  proxy: true,
  seal: true,
  ownSession: true,
};
