/** Sends the time 400 times a second, with a payload as large as a step's events. */
const PER_SECOND = 400;
const filling = 'x'.repeat(1_500);
let last = performance.now();

setInterval(() => {
  const due = Math.floor(((performance.now() - last) * PER_SECOND) / 1000);
  if (due === 0) return;
  last += (due * 1000) / PER_SECOND;
  for (let i = 0; i < due; i += 1) process.parentPort.postMessage({ at: Date.now(), filling });
}, 1);
