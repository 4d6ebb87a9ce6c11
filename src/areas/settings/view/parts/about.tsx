import type { ReactNode } from 'react';
import styles from './about.module.css';

/** What a page of settings is about. */
export const About = ({ children }: { readonly children: ReactNode }) => (
  <p className={`quiet ${styles.about}`}>{children}</p>
);
