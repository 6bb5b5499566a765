// The client entry: hash routing, for the page inside a native shell.
import { startConsole } from './main-console.tsx';
import { showStartFailure } from './start-failure.ts';

startConsole('client').catch(showStartFailure);
