/** `$ARTIFACTS_DIR`: the folder for files of a run's agents and commands, separate from Muster's own logs. */
export const artifactsFolder = (runFolder: string): string => `${runFolder}/artifacts`;
