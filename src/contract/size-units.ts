/** A mebibyte in bytes. */
export const MIB = 2 ** 20;
