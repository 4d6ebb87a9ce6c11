/** dependency-cruiser reads aliases only from a webpack configuration, or from a tsconfig that extends nothing. */
const { resolve } = require('node:path');

module.exports = { resolve: { alias: { '@contract': resolve('src/contract') } } };
