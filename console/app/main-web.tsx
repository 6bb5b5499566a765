// The web entry: history routing.
import { startConsole } from './main-console.tsx';
import { showStartFailure } from './start-failure.ts';

startConsole('web').catch(showStartFailure);
