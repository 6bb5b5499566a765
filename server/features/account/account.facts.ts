// What other features may ask of accounts: a session for somebody whose identity is proved, and how directories are asked.
export { type Directories, type DirectoryAnswer, openSession } from './sign-in.ts';
