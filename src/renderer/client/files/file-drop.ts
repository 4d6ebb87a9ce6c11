import { pathOf } from '../rpc';

type Drag = Pick<DragEvent, 'preventDefault'> & {
  readonly dataTransfer: { readonly types: readonly string[]; readonly files: ArrayLike<File> };
};

interface FileDrop {
  attach(paths: readonly string[]): void;
  /** Whether files are dragged over the element. */
  over?(is: boolean): void;
}

/** Makes an element accept dropped files. Dropped text still reaches the field under it. */
export const fileDrop = ({ attach, over }: FileDrop) => ({
  onDragOver: (event: Drag) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    over?.(true);
  },
  onDragLeave: () => over?.(false),
  onDrop: (event: Drag) => {
    over?.(false);
    const { files } = event.dataTransfer;
    if (files.length === 0) return;
    event.preventDefault();
    attach(Array.from(files, pathOf));
  },
});
