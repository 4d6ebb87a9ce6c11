import { bytes } from '@renderer/client/format';
import { useQuery } from '@renderer/client/hooks';
import { ErrorNote } from '@renderer/parts/problems/error-note';
import { useState } from 'react';
import type { FileSide } from '../../../contract/procedures';
import type { DiffSource } from '../opened-files';
import styles from './image-sides.module.css';

/** A picture before and after. It comes as data in the answer of the core, so the page loads nothing from anywhere. */
export function ImageSides({ source, path }: { readonly source: DiffSource; readonly path: string }) {
  const { value, error } = useQuery('workspace.file', { ...source, path, as: 'image' });
  if (error) return <ErrorNote error={error} />;
  if (value === null) return <div className={styles.sides} />;
  return (
    <div className={styles.sides}>
      {value.old !== null && <Side name="Before" path={path} side={value.old} />}
      {value.fresh !== null && <Side name="After" path={path} side={value.fresh} />}
    </div>
  );
}

interface SideProps {
  readonly name: string;
  readonly path: string;
  readonly side: FileSide;
}

function Side({ name, path, side }: SideProps) {
  const [size, setSize] = useState('');
  const { image } = side;
  return (
    <figure className={styles.side}>
      <figcaption className="quiet note">
        {name} <span className="faint">{[size, bytes(side.bytes)].filter(Boolean).join(', ')}</span>
      </figcaption>
      {image === null ? (
        <p className="quiet note">
          {side.leftOut === 'large' ? 'Too large to show here.' : 'This is no picture that can be shown.'}
        </p>
      ) : (
        <img
          src={`data:${image.type};base64,${image.data}`}
          alt={`${path} ${name.toLowerCase()} the change`}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize(`${naturalWidth} × ${naturalHeight}`)
          }
        />
      )}
    </figure>
  );
}
