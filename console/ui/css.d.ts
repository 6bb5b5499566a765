// Types of style modules: every class name is a string that exists at build time.
declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
