import { ulid } from 'ulid';

/** A ULID: ten digits of time, sixteen random ones. */
export const newUid = (now?: number): string => ulid(now);
