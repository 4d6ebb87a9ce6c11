/**
 * The one list of path aliases for programs. The compiler reads its own in tools/tsconfig/base.json, knip in knip.json.
 * Shaped as a webpack configuration, because dependency-cruiser reads aliases only from one, or from a tsconfig that
 * extends nothing.
 */
const { join } = require('node:path');

const source = (name) => join(__dirname, '..', '..', 'src', name);

module.exports = {
  resolve: {
    alias: {
      '@areas': source('areas'),
      '@contract': source('contract'),
      '@features': source('features'),
      '@main': source('main'),
      '@renderer': source('renderer'),
    },
  },
};
