/** Files that Vite turns into modules. In every project, which also keeps one without sources yet from failing. */
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
