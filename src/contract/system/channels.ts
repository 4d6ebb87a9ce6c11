/** The names of the only two channels between a window and the main process. */
export const rpcChannel = 'rpc';
/** To main: the topics that the window wants. To the window: pushes. */
export const eventChannel = 'event';
