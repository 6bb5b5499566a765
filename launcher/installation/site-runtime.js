// Node flags and thread count for the site: many disk and DNS operations, and frames of many cameras that live for a GOP or two.

/** Threads that wait for disks and DNS: 100 cameras sync at the same time. */
export const siteThreads = '16';

/**
 * What is kept of each camera lives longer than V8's young generation, and shorter than its old one is made for. At its own pace V8
 * marked the heap of a hundred cameras, 25 MB, every two and a half seconds; it may grow to twice as much before. It also learns which
 * lines of code make what lives long, and makes that old from birth: units, which, dead two seconds later, kept alive all that they
 * pointed to until the next marking. And half of its largest young generation is enough, as hardly anything lives through it: what is
 * dead in there holds memory outside the heap until the next scavenge.
 */
export const siteFlags = ['--heap-growing-percent=100', '--no-allocation-site-pretenuring', '--max-semi-space-size=8'];
