// Migrates a database and is killed at the given query: before it is sent, or once it is on its way.
import pg from 'pg';
import { migrate } from '../../server/database/migrate.ts';

const [url = '', step = '', moment = ''] = process.argv.slice(2);
const die = (): boolean => process.kill(process.pid, 'SIGKILL');

const pool = new pg.Pool({ connectionString: url, max: 1 });
const client = await pool.connect();
const send = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
let sent = 0;
Object.assign(client, {
  query: (...args: unknown[]): Promise<unknown> => {
    const isLast = sent++ === Number(step);
    if (isLast && moment === 'before') die();
    const answer = send(...args);
    // The bytes leave with the next turn of the event loop.
    if (isLast) setImmediate(() => setImmediate(die));
    return answer;
  },
});
const only = { connect: () => Promise.resolve(client) } as unknown as pg.Pool;
await migrate(only);
// Reached when there are fewer queries than that.
client.release(true);
process.stdout.write('done\n');
process.exit(0);
