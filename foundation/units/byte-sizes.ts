// Sizes in bytes, by powers of 1024.

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const GIB = 1024 * MIB;
