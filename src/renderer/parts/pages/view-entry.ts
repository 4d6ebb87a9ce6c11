import { type ComponentType, lazy } from 'react';
import type { ActionSpecs } from '../../client/actions';
import type { Icon } from '../../ui/controls/icon';

export interface Sample {
  /** The label of its button and its action. */
  readonly act: string;
  readonly shows: string;
  readonly start: () => Promise<void>;
}

/** In the order of the rail. */
export const viewGroups = ['Decide', 'Work', 'Build', 'Know'] as const;
type ViewGroup = (typeof viewGroups)[number];

export interface ViewEntry {
  readonly id: string;
  readonly title: string;
  /** Other words by which the palette finds it. */
  readonly words?: string;
  readonly icon: Icon;
  /** `g` and this letter open it. */
  readonly key: string;
  readonly component: ComponentType;
  readonly actions: ActionSpecs;
  /** The first parts of the addresses that it shows; the first one is its own. */
  readonly paths: readonly string[];
  /** Without a project there is nothing to show: the start screen replaces it. */
  readonly needsProject?: boolean;
  readonly useCount?: () => number;
  /** What the count means, if nothing waits for the operator. */
  readonly countWord?: 'unread';
  /** Its group in the rail. */
  readonly group: ViewGroup;
  /** What can be started in it from anywhere: the label of the action and the address of its form. */
  readonly begins?: { readonly title: string; readonly path: readonly string[] };
  /** The sample of this view in the sample project, started with one click. */
  readonly sample?: Sample;
  /** The section of help about it: a document, and the anchor of a heading. Absent: the beginning. */
  readonly help?: readonly string[];
  /** Pages with their own names and addresses. */
  readonly pages?: readonly { readonly title: string; readonly path: readonly string[] }[];
}

/** A view of a feature: it is listed below one of the platform's. */
export interface FeatureViewEntry extends ViewEntry {
  readonly below: string;
}

/** A view whose code is loaded when it is first opened: the window's start waits only for the first view. */
export const later = (load: () => Promise<ComponentType>): ComponentType =>
  lazy(async () => ({ default: await load() }));
