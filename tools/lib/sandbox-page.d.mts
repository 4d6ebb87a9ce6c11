export function buildSandboxPage(options: { root: string; folder: string; target: string }): Promise<void>;
/** Builds only what hosts REPLs without the app, for tests: `out` gets the layout of the product's `out`. */
export function buildSandboxHost(options: { root: string; out: string }): Promise<void>;
