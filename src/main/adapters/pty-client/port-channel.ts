/** The used part of a message port, Electron's or Node's. */
export interface MessagePortLike {
  postMessage(message: unknown): void;
  start(): void;
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

/** A message port as a channel of terminals, at either of its ends. */
export const portChannel = (port: MessagePortLike) => ({
  post: (message: unknown): void => port.postMessage(message),
  onMessage: (listener: (message: unknown) => void): void => {
    port.on('message', ({ data }) => listener(data));
    port.start();
  },
  onClose: (listener: () => void): void => void port.on('close', listener),
});
