/** What shows, without a request to its provider, whether an agent's program is logged in. */
export interface AgentLogin {
  /** The folder of its own files: below the home folder, or where the variable says. */
  readonly folder?: { readonly variable?: string; readonly inHome: string };
  /** Files in that folder that exist only with a login. */
  readonly files?: readonly string[];
  /** Variables that hold a key or token. */
  readonly variables?: readonly string[];
  /** Arguments that make the program say it by its exit code, 0 or 1. Any other code is no answer. */
  readonly statusArgs?: readonly string[];
}
