// Entry of the analyst: a process without sockets that finds objects in the frames it is given, until its standard input ends.
import { errorMessage } from '@vedette/foundation/errors/error-message.ts';
import { openDetector } from './detector.ts';
import { type AnalystAnswer, readFrames } from './frame-wire.ts';
import { ModelFault } from './model-file.ts';

const [runtimeFolder = '', modelFolder = ''] = process.argv.slice(2);

try {
  const detector = await openDetector(runtimeFolder, modelFolder);
  const { name, sha256, licence, size } = detector.description;
  answer({ event: 'ready', model: { name, sha256, licence, size, classes: [...detector.classes] } });
  for await (const { id, ...frame } of readFrames(process.stdin)) {
    const before = process.cpuUsage();
    const detections = await detector.detect(frame);
    const { user, system } = process.cpuUsage(before);
    answer({ event: 'seen', id, cpuMs: (user + system) / 1000, detections: [...detections] });
  }
} catch (error) {
  const reason = error instanceof ModelFault ? error.reason : null;
  answer({ event: 'failed', fault: errorMessage(error).slice(0, 500), reason });
  process.exitCode = 1;
}

function answer(message: AnalystAnswer): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
