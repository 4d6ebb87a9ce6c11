import styles from './step-panel.module.css';

/** Shown in place of a form while its file is read, which is visible only on a slow disk. */
export const Reading = () => (
  <p className={`quiet ${styles.reading}`} role="status" aria-busy="true">
    Reading the file.
  </p>
);
