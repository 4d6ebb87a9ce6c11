import { type ComponentType, lazy } from 'react';
import type { ActionSpecs } from '../client/actions';
import type { Icon } from '../ui/icon';

export interface Sample {
  /** The words of its button and its action. */
  readonly act: string;
  readonly shows: string;
  readonly start: () => Promise<void>;
}

export interface ViewEntry {
  readonly id: string;
  readonly title: string;
  readonly icon: Icon;
  /** `g` and this letter go there. */
  readonly key: string;
  readonly component: ComponentType;
  readonly actions: ActionSpecs;
  /** The first parts of the addresses that it shows; the first one is its own. */
  readonly paths: readonly string[];
  /** Without a project there is nothing to show: the start screen is in for it. */
  readonly needsProject?: boolean;
  readonly useCount?: () => number;
  /** What the count is of, where nothing waits for the operator. */
  readonly countWord?: 'unread';
  readonly foot?: boolean;
  /** What can be begun in it, from anywhere: the words of the action and the address of its form. */
  readonly begins?: { readonly title: string; readonly path: readonly string[] };
  /** What the sample project shows of it, started with one click. */
  readonly sample?: Sample;
  /** Pages with a name and an address of their own. */
  readonly pages?: readonly { readonly title: string; readonly path: readonly string[] }[];
}

/** A view of a feature: it is below one of the platform's. */
export interface FeatureViewEntry extends ViewEntry {
  readonly below: string;
}

/** A view that is read when it is first gone to: the window's start waits for the first one only. */
export const later = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => ({ default: await load() }));
