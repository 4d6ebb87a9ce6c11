import type { Result } from '@contract/result';
import type { Issue, IssuePage, MergeMethod, PullView } from '../contract/forge';

/** A repository as its forge knows it: under its present name, even if the remote has an earlier one. */
export interface ForgeRepository {
  /** `owner/name`. */
  readonly name: string;
  readonly defaultBranch: string;
  /** The repository that this one was forked from: pull requests go there. */
  readonly parent: { readonly name: string; readonly defaultBranch: string } | null;
}

export interface IssueQuery {
  readonly search: string;
  readonly label: string | undefined;
  readonly state: 'open' | 'closed';
  readonly page: number;
}

export interface PullWish {
  /** The repository that receives it, and the one with the branch. */
  readonly repository: string;
  readonly headRepository: string;
  readonly branch: string;
  readonly base: string;
  readonly title: string;
  readonly body: string;
  readonly draft: boolean;
}

export interface PullPlace {
  readonly repository: string;
  readonly number: number;
}

export interface MadePull {
  readonly number: number;
  readonly url: string;
  readonly state: 'open' | 'closed' | 'merged';
}

/**
 * A forge, spoken to with one token. Every failure is a value: `forge.unreachable`, `forge.login`,
 * `forge.limit`, `forge.refused`, `forge.failed`, `not_found` or `conflict`.
 */
export interface Forge {
  /** Follows a renamed repository. */
  repository(name: string): Promise<Result<ForgeRepository>>;
  issues(repository: string, query: IssueQuery): Promise<Result<IssuePage>>;
  issue(place: PullPlace): Promise<Result<Issue>>;
  /** The pull request from this branch with the mark in its text, whatever its state; null if there is none. */
  findPull(
    wish: Pick<PullWish, 'repository' | 'headRepository' | 'branch'>,
    mark: string,
  ): Promise<Result<MadePull | null>>;
  createPull(wish: PullWish): Promise<Result<MadePull>>;
  /** Adding the same ones again changes nothing. */
  addPeople(
    place: PullPlace,
    people: { readonly reviewers: readonly string[]; readonly labels: readonly string[] },
  ): Promise<Result<void>>;
  /** Unchanged parts are not transferred again. */
  pull(place: PullPlace): Promise<Result<PullView>>;
  /** By the forge's own rules, and only if the branch is still at `commit`. */
  merge(
    place: PullPlace,
    how: { readonly method: MergeMethod; readonly commit: string },
  ): Promise<Result<void>>;
}
