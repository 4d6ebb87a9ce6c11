import styles from './step-panel.module.css';

/** In the place of a form while its file is being read, which is seen on a slow disk only. */
export const Reading = () => (
  <p className={`quiet ${styles.reading}`} role="status" aria-busy="true">
    Reading the file.
  </p>
);
