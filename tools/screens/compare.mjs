import { readFileSync } from 'node:fs';

/** A partly repainted edge can differ by this much, of 255. */
const ROUNDING = 24;

/**
 * The differences between two pictures, in words, or null if there are none. They are compared in a page,
 * which can decode them.
 */
export async function differences(page, before, now) {
  const [a, b] = [before, now].map((file) => readFileSync(file).toString('base64'));
  if (a === b) return null;
  const found = await page.evaluate(
    async ({ pictures, rounding }) => {
      const [first, second] = await Promise.all(
        pictures.map(async (text) => {
          const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
          const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
          const context = canvas.getContext('2d');
          context.drawImage(bitmap, 0, 0);
          return context.getImageData(0, 0, bitmap.width, bitmap.height);
        }),
      );
      if (first.width !== second.width || first.height !== second.height) return { size: true };
      const box = {
        left: Number.POSITIVE_INFINITY,
        top: Number.POSITIVE_INFINITY,
        right: -1,
        bottom: -1,
        count: 0,
      };
      for (let at = 0; at < first.data.length; at += 4) {
        let most = 0;
        for (let part = 0; part < 3; part += 1)
          most = Math.max(most, Math.abs(first.data[at + part] - second.data[at + part]));
        if (most <= rounding) continue;
        const x = (at / 4) % first.width;
        const y = Math.floor(at / 4 / first.width);
        box.left = Math.min(box.left, x);
        box.right = Math.max(box.right, x);
        box.top = Math.min(box.top, y);
        box.bottom = Math.max(box.bottom, y);
        box.count += 1;
      }
      return box;
    },
    { pictures: [a, b], rounding: ROUNDING },
  );
  if (found.size) return 'another size';
  if (found.count === 0) return null;
  return `${found.count} pixels, within ${found.left},${found.top} to ${found.right},${found.bottom}`;
}
