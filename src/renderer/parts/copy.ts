import { addressOf } from '../client/route';
import { call } from '../client/rpc';
import { attempt } from '../client/toasts';

export function copyText(text: string, what = 'Copied'): void {
  void attempt(call('app.copyText', { text }), what);
}

export function copyAddress(...path: (string | number)[]): void {
  const address = addressOf(...path);
  copyText(address, `Copied ${address}`);
}
