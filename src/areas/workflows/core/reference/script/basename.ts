/** The name of a program without its folders. */
export const basename = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
