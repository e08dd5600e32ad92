import { describe, it } from 'vitest'

/** True in `npm test`. `npm run falhas` plays the faults for longer and more often. */
export const SHORT = process.env['FALHAS'] !== 'todas'
/** Of tests that only `npm run falhas` plays. */
export const longIt = SHORT ? null : it
export const longDescribe = SHORT ? null : describe

/** Seed of the chosen moments and nodes. `FALHAS_SEMENTE` repeats a run. */
const SEED = Number(process.env['FALHAS_SEMENTE'] ?? Math.floor(Math.random() * 2 ** 31))

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Numbers from 0 to 1, the same for the same seed and name. Prints the seed. */
export function seededRandom(name: string): () => number {
  process.stdout.write(`${name}: FALHAS_SEMENTE=${SEED}\n`)
  let state = [...name].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01_00_01_93), SEED)
  return () => {
    // mulberry32
    state = (state + 0x6d_2b_79_f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const twice = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((twice ^ (twice >>> 14)) >>> 0) / 2 ** 32
  }
}
