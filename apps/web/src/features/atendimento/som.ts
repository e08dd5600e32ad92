const SOUND_EVERY_MS = 3_000
let lastSound = Number.NEGATIVE_INFINITY

/** Plays two synthesized notes, at most once per 3 s. Volume from 0 to 1. */
export function playSound(volume: number, nowMs = performance.now()): void {
  if (volume <= 0 || nowMs - lastSound < SOUND_EVERY_MS) return
  lastSound = nowMs
  try {
    const audio = new AudioContext()
    const ganho = audio.createGain()
    ganho.gain.setValueAtTime(0.16 * volume, audio.currentTime)
    ganho.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.45)
    ganho.connect(audio.destination)
    for (const [indice, frequencia] of [660, 880].entries()) {
      const nota = audio.createOscillator()
      nota.frequency.value = frequencia
      nota.connect(ganho)
      nota.start(audio.currentTime + indice * 0.14)
      nota.stop(audio.currentTime + 0.45)
    }
    setTimeout(() => void audio.close(), 1_000)
  } catch {
    // Without audio support the notice still appears.
  }
}
