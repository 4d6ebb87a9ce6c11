/** A file's path in its project, with slashes; null if it is outside. */
export function pathInProject(root: string, path: string): string | null {
  const [folder, file] = [root, path].map((one) => one.replaceAll('\\', '/').replace(/\/+$/, ''));
  if (folder === undefined || file === undefined || !file.startsWith(`${folder}/`)) return null;
  return file.slice(folder.length + 1);
}
