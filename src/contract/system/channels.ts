/** The only channels between a window and the main process. */
export const rpcChannel = 'rpc';
/** To main: the window's topics. To the window: pushes. */
export const eventChannel = 'event';
/** To the window: a port on which the core sends run pushes directly; replaces the previous port. */
export const lineChannel = 'line';
/** To the window: a terminal's port, which the preload passes to the page under the same name. */
export const terminalChannel = 'terminal';
