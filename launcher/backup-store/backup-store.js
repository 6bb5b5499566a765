// What a store of backups can do, whether it is a folder or a bucket.

/**
 * Names are `file`, or `folder/file`: one level deep. Rejects with LaunchError where the store refuses, or with the error of the disk.
 * @typedef {object} BackupStore
 * @property {string} place for people: a path, or s3://bucket/prefix
 * @property {(name: string) => string} pathOf for people: place of a file or folder in it
 * @property {() => Promise<void>} prepare before a backup is written: a folder that lacks is made
 * @property {() => Promise<string[]>} folders sorted
 * @property {(folder: string) => Promise<{ name: string, bytes: number }[]>} files sorted; none where the folder lacks
 * @property {(file: string) => Promise<boolean>} has
 * @property {(file: string, source: AsyncIterable<Buffer> | Iterable<Buffer>, signal?: AbortSignal) => Promise<void>} write replaces a file;
 *   one that fits into a piece of a bucket (s3-store.js) is there whole or as before
 * @property {(file: string) => AsyncIterable<Buffer>} read ends early where a piece lacks, which sealed files tell
 * @property {(file: string) => Promise<void>} removeFile also one that is not there
 * @property {(folder: string) => Promise<void>} removeFolder likewise
 */
export {};
