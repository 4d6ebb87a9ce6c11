import { ulid } from 'ulid';

/** A ULID: ten digits of the time, sixteen of chance. */
export const newUid = (now?: number): string => ulid(now);
