/** `$ARTIFACTS_DIR`: the folder for files of a run's agents and commands, apart from Muster's own logs beside it. */
export const artifactsFolder = (runFolder: string): string => `${runFolder}/artifacts`;
