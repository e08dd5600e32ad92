// Loaded by `--import` into a process of a fault test. SIGUSR2 blocks the loop for 5 s, SIGHUP fills the heap.
const BLOCKED_MS = 5_000
const kept = []

process.on('SIGUSR2', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS))
process.on('SIGHUP', () => {
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, n) => ({ n })))
})
