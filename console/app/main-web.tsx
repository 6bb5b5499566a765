// The web entry: history routing.
import { startConsole } from './main-console.tsx';
import { sayNotStarted } from './start-failure.ts';

startConsole('web').catch(sayNotStarted);
