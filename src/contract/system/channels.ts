/** The names of the only channels between a window and the main process. */
export const rpcChannel = 'rpc';
/** To main: the topics that the window wants. To the window: pushes. */
export const eventChannel = 'event';
/** To the window: a port on which the core itself tells it what it follows of runs; replaces the one before. */
export const lineChannel = 'line';
/** To the window: the port of a terminal, which the preload hands on to the page under the same name. */
export const terminalChannel = 'terminal';
