// The words beside the status numbers that the RTSP server answers (RFC 2326 7.1.1).

const REASONS: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'Not Found'],
  [405, 'Method Not Allowed'],
  [454, 'Session Not Found'],
  [455, 'Method Not Valid in This State'],
  [457, 'Invalid Range'],
  [459, 'Aggregate Operation Not Allowed'],
  [461, 'Unsupported Transport'],
  [500, 'Internal Server Error'],
  [501, 'Not Implemented'],
  [503, 'Service Unavailable'],
  [551, 'Option not supported'],
]);

export function reasonOf(status: number): string {
  return REASONS.get(status) ?? 'Error';
}
