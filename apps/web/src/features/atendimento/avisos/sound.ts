const SOUND_EVERY_MS = 3_000
let lastSound = Number.NEGATIVE_INFINITY

/** Plays two synthesized notes, at most once per 3 s. Volume from 0 to 1. */
export function playSound(volume: number, nowMs = performance.now()): void {
  if (volume <= 0 || nowMs - lastSound < SOUND_EVERY_MS) return
  lastSound = nowMs
  try {
    const audio = new AudioContext()
    const gain = audio.createGain()
    gain.gain.setValueAtTime(0.16 * volume, audio.currentTime)
    gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.45)
    gain.connect(audio.destination)
    for (const [index, frequency] of [660, 880].entries()) {
      const note = audio.createOscillator()
      note.frequency.value = frequency
      note.connect(gain)
      note.start(audio.currentTime + index * 0.14)
      note.stop(audio.currentTime + 0.45)
    }
    setTimeout(() => void audio.close(), 1_000)
  } catch {
    // Without audio support the notice still appears.
  }
}
