/**
 * Files that Vite turns into modules. Included in every project, so that a project without sources does not
 * fail.
 */
declare module '*?raw' {
  const text: string;
  export default text;
}
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module '*.css';
declare module '*.svg' {
  const url: string;
  export default url;
}
declare module '*.png' {
  const url: string;
  export default url;
}
