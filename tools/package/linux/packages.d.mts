interface Package {
  /** The unpacked app. */
  readonly source: string;
  /** The folder that gets the file. */
  readonly out: string;
  /** In place of the version of the packed app. */
  readonly version?: string;
  /** Compressed for a test, not for a download. */
  readonly fast?: boolean;
}

export function makeDeb(given: Package): Promise<string>;
export function makeRpm(given: Package): Promise<string>;
